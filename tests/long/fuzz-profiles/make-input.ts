import { byteMutations } from '../fuzzing/byte-mutations.ts'
import { jsonMutations } from '../fuzzing/json-mutations.ts'
import { makeChanged } from '../fuzzing/make-changed.ts'
import type { Mutation } from '../fuzzing/mutation.ts'
import type { Originals } from '../fuzzing/originals.ts'
import type { Random } from '../fuzzing/random.ts'
import type { Input } from '../fuzzing/subject.ts'
import { textMutations } from '../fuzzing/text-mutations.ts'
import { isProtobuf, protobufMutations } from './protobuf-mutations.ts'
import { wrapperMutations } from './wrapper-mutations.ts'

export interface ProfileInput extends Input {
  /** Whether the reader is told the format, or finds it out itself. */
  isTold: boolean
  /** Whether what is read is stored and asked, too, which takes longer than reading it. */
  isStored: boolean
}

/** A real profile, changed once or up to five times, and what is done with it. */
export function makeProfileInput(originals: Originals, format: string, random: Random): ProfileInput {
  const bytes = makeChanged(originals, format, random, { of: mutationsFor, wrappers: wrapperMutations })
  const isTold = random.below(2) === 0
  return { bytes, how: isTold ? '' : 'format not told', isTold, isStored: random.below(4) === 0 }
}

/** Those that know what the bytes are: JSON, protobuf, other binary, or text. */
function mutationsFor(bytes: Uint8Array): readonly Mutation[] {
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) return jsonMutations
  if (bytes.subarray(0, 512).every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d)))
    return textMutations
  return isProtobuf(bytes) ? protobufMutations : byteMutations
}
