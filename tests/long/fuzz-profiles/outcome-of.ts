import {
  decodeDetail,
  decodeHeapGraph,
  decodeProfile,
  encodeDetail,
  encodeHeapGraph,
  encodeProfile,
  FormatError,
  profileFormats,
  readProfile,
  summarizeFlameGraph,
  type ImportedProfile,
} from '@flamegate/profiles'
import { asWords, refused } from '../fuzzing/measured.ts'
import type { Outcome } from '../fuzzing/subject.ts'
import type { ProfileInput } from './make-input.ts'
import { decompressedBytesMax } from './wrapper-mutations.ts'

/** Reads an input as an import does, up to the bytes that are stored: there must be a sound profile or a FormatError. */
export function profileOutcome({ bytes, isTold, isStored }: ProfileInput, format: string): Outcome {
  try {
    const profile = readProfile(bytes, {
      format: isTold ? profileFormats.find((each) => each === format) : undefined,
      maxDecompressedBytes: decompressedBytesMax,
    })
    const problem = unsoundness(profile) ?? (isStored ? storing(profile) : undefined)
    return { isRead: true, ...(problem === undefined ? {} : { problem }) }
  } catch (error) {
    return error instanceof FormatError ? refused(error.message) : { isRead: false, problem: asWords(error) }
  }
}

function unsoundness(profile: ImportedProfile): string | undefined {
  const { nodes, selfValues, sampleTypes, durationMs, startedAt } = profile
  if (selfValues.length !== sampleTypes.length) return 'columns and sample types differ in number'
  for (const values of selfValues) {
    if (values.length !== nodes.parents.length) return 'columns of different lengths'
    if (!values.every((value) => Number.isFinite(value))) return 'a value that is not finite'
  }
  if (durationMs !== undefined && !Number.isFinite(durationMs)) return 'a duration that is not finite'
  if (startedAt !== undefined && !/^\d{4}-/.test(startedAt)) return 'a start that is no time a calendar has'
  return undefined
}

/** What an import does next. */
function storing(profile: ImportedProfile): string | undefined {
  try {
    decodeProfile(encodeProfile(profile))
    if (profile.detail !== undefined) decodeDetail(encodeDetail(profile.detail))
    if (profile.heapGraph !== undefined) decodeHeapGraph(encodeHeapGraph(profile.heapGraph))
    summarizeFlameGraph(profile)
    return undefined
  } catch (error) {
    return `what was read cannot be stored: ${asWords(error)}`
  }
}
