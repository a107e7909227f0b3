import {
  decodeDetail,
  decodeHeapGraph,
  decodeProfile,
  encodeDetail,
  encodeHeapGraph,
  encodeProfile,
  FormatError,
  readProfile,
  summarizeFlameGraph,
  type ImportedProfile,
  type ProfileFormat,
} from '@flamegate/profiles'
import type { Input } from './make-input.ts'
import { decompressedBytesMax } from './wrapper-mutations.ts'

export interface Outcome {
  isProfile: boolean
  /** Why it was refused, without what belongs to this file only. */
  refusal?: string
  /** What is wrong with that, if anything. */
  problem?: string
  /** Processor time, which does not depend on what else the machine does. */
  cpuMs: number
}

/** Reads an input as an import does, up to the bytes that are stored: there must be a sound profile or a FormatError. */
export function outcomeOf({ bytes, isTold, isStored }: Input, format: ProfileFormat): Outcome {
  const begun = process.cpuUsage()
  const since = () => {
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  }
  try {
    const profile = readProfile(bytes, {
      format: isTold ? format : undefined,
      maxDecompressedBytes: decompressedBytesMax,
    })
    const problem = unsoundness(profile) ?? (isStored ? storing(profile) : undefined)
    return { isProfile: true, problem, cpuMs: since() }
  } catch (error) {
    if (!(error instanceof FormatError)) {
      return { isProfile: false, problem: asWords(error), cpuMs: since() }
    }
    const problem = error.message.length > 1000 ? 'a message as long as the file' : undefined
    return { isProfile: false, refusal: withoutPlaces(error.message), problem, cpuMs: since() }
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

/** The error and where in our code it was thrown. */
function asWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const at = /packages\/[^\s)]+/.exec(error.stack ?? '')?.[0]
  return `${error.name}: ${error.message.slice(0, 200)}${at === undefined ? '' : ` at ${at}`}`
}

function withoutPlaces(message: string): string {
  return message.replaceAll(/"[^"]*"|\d+/g, '…').replace(/ \(at .*/, '')
}
