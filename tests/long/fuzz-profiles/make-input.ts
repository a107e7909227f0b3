import type { ProfileFormat } from '@flamegate/profiles'
import { byteMutations } from './byte-mutations.ts'
import { jsonMutations } from './json-mutations.ts'
import type { Mutation } from './mutation.ts'
import type { Originals } from './originals.ts'
import { isProtobuf, protobufMutations } from './protobuf-mutations.ts'
import { Random, seedOf } from './random.ts'
import { textMutations } from './text-mutations.ts'
import { wrapperMutations } from './wrapper-mutations.ts'

export interface Input {
  bytes: Uint8Array
  /** Whether the reader is told the format, or finds it out itself. */
  isTold: boolean
  /** Whether what is read is stored and asked, too, which takes longer than reading it. */
  isStored: boolean
}

/** Few inputs are wrapped: it takes more time than all else, and says nothing of what is inside. */
const wrappedShare = 0.01

/** The same for the same seed, format, number and originals: one real file, changed once or up to five times. */
export function makeInput(
  originals: Originals,
  { seed, format, number }: { seed: number; format: ProfileFormat; number: number },
): Input {
  const random = new Random(seedOf(`${seed} ${format} ${number}`))
  let bytes = originals.pick(format, random)
  const material = {
    other: random.below(4) === 0 ? originals.pickAny(random) : originals.pick(format, random),
    words: originals.words(format),
  }
  // What is damaged in many places is refused for the first of them, so most have one.
  const changes = random.below(2) === 0 ? 1 : 1 + random.mostlySmall(5)
  for (let times = 0; times < changes && bytes.length > 0; times += 1) {
    bytes =
      changed(random.below(5) === 0 ? byteMutations : mutationsFor(bytes)) ?? changed(byteMutations) ?? bytes
  }
  if (random.share() < wrappedShare && bytes.length > 0) bytes = changed(wrapperMutations) ?? bytes
  return { bytes, isTold: random.below(2) === 0, isStored: random.below(4) === 0 }

  function changed(mutations: readonly Mutation[]): Uint8Array | undefined {
    return random.pick(mutations)(bytes, random, material)
  }
}

/** Those that know what the bytes are: JSON, protobuf, other binary, or text. */
function mutationsFor(bytes: Uint8Array): readonly Mutation[] {
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) return jsonMutations
  if (bytes.subarray(0, 512).every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d)))
    return textMutations
  return isProtobuf(bytes) ? protobufMutations : byteMutations
}
