import { Problem } from '@flamegate/contract'
import type { SampleFilter } from '@flamegate/profiles'
import type { Profile } from '../ports/index.ts'

/** Which samples a question is about, as the input of an operation says it. */
export interface Selection {
  sample_type?: string | undefined
  labels?: string[] | undefined
  from_ms?: number | undefined
  to_ms?: number | undefined
}

/** @throws Problem `not_ready`, `processing_failed` when there is nothing to look into */
export function mustBeReady(record: Profile): void {
  if (record.status === 'PENDING') {
    throw new Problem(
      'not_ready',
      'This profile was not uploaded or is still being read. Try again in a second.',
    )
  }
  if (record.status === 'FAILED') {
    throw new Problem(
      'processing_failed',
      `This profile could not be read: ${record.problem?.detail ?? 'its file is broken'}.`,
    )
  }
}

/**
 * The index of the sample type, and which samples to keep; no filter when all are.
 * @throws Problem `invalid_input`
 */
export function selectedSamples(
  profile: Pick<Profile, 'sampleTypes' | 'defaultSampleTypeIndex'>,
  selection: Selection,
): { sampleTypeIndex: number; filter?: SampleFilter } {
  const index = sampleTypeIndex(profile, selection.sample_type)
  const { labels = [], from_ms: fromMs, to_ms: toMs } = selection
  const byTime = isByTime(selection)
  if (labels.length === 0 && !byTime) return { sampleTypeIndex: index }
  if (byTime && index !== profile.defaultSampleTypeIndex) {
    const known = profile.sampleTypes[profile.defaultSampleTypeIndex]?.type
    throw invalid('sample_type', `Only ${known} is known by time.`)
  }
  const filter = {
    labels: new Map(labels.map((label) => splitLabel(label))),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
  }
  return { sampleTypeIndex: index, filter }
}

/** `reason`: why, as `CannotFilterError` says it. */
export function cannotFilter(selection: Selection, reason: string): Problem {
  return invalid(isByTime(selection) ? 'from_ms' : 'labels', `This profile cannot be filtered so: ${reason}.`)
}

function isByTime(selection: Selection): boolean {
  return selection.from_ms !== undefined || selection.to_ms !== undefined
}

/** Index of the sample type by name, or the default. @throws Problem `invalid_input` */
function sampleTypeIndex(
  { sampleTypes, defaultSampleTypeIndex }: Pick<Profile, 'sampleTypes' | 'defaultSampleTypeIndex'>,
  name: string | undefined,
): number {
  if (name === undefined) return defaultSampleTypeIndex
  const index = sampleTypes.findIndex((sampleType) => sampleType.type === name)
  if (index >= 0) return index
  const names = sampleTypes.map((sampleType) => sampleType.type).join(', ')
  throw new Problem('invalid_input', `This profile has no sample type ${name}. It has ${names}.`, {
    errors: [{ field: 'sample_type', message: `One of ${names}.` }],
  })
}

function splitLabel(label: string): [name: string, value: string] {
  const equals = label.indexOf('=')
  return [label.slice(0, equals), label.slice(equals + 1)]
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_input', message, { errors: [{ field, message }] })
}
