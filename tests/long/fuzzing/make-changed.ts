import { byteMutations } from './byte-mutations.ts'
import type { Mutation } from './mutation.ts'
import type { Originals } from './originals.ts'
import type { Random } from './random.ts'

/** Few inputs are wrapped: it takes more time than all else, and says nothing of what is inside. */
const wrappedShare = 0.01

export interface Mutations {
  /** Those that know what the bytes are. */
  of: (bytes: Uint8Array) => readonly Mutation[]
  /** Of few inputs, at last. */
  wrappers: readonly Mutation[]
}

/** One real file, changed once or up to five times. */
export function makeChanged(
  originals: Originals,
  format: string,
  random: Random,
  mutations: Mutations,
): Uint8Array {
  let bytes = originals.pick(format, random)
  const material = {
    other: random.below(4) === 0 ? originals.pickAny(random) : originals.pick(format, random),
    words: originals.words(format),
  }
  // What is damaged in many places is refused for the first of them, so most have one.
  const changes = random.below(2) === 0 ? 1 : 1 + random.mostlySmall(5)
  for (let times = 0; times < changes && bytes.length > 0; times += 1) {
    bytes =
      changed(random.below(5) === 0 ? byteMutations : mutations.of(bytes)) ?? changed(byteMutations) ?? bytes
  }
  if (random.share() < wrappedShare && bytes.length > 0) bytes = changed(mutations.wrappers) ?? bytes
  return bytes

  function changed(among: readonly Mutation[]): Uint8Array | undefined {
    return random.pick(among)(bytes, random, material)
  }
}
