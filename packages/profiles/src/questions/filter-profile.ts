import type { ProfileDetail } from '../profile-detail.ts'
import { sampleTypeOf, type Profile } from '../profile.ts'

/** Which samples to keep; what is absent keeps all. */
export interface SampleFilter {
  /** Every one of these labels must have this value. */
  labels?: ReadonlyMap<string, string>
  /** Milliseconds since the start of the profile: from the first, up to and without the second. */
  fromMs?: number
  toMs?: number
}

/** A profile cannot be filtered by what its format does not tell. The message says by what. */
export class CannotFilterError extends Error {
  override readonly name = 'CannotFilterError'
}

/**
 * The profile of only some of its samples: the same tree with other self values, so that every question can be asked of it.
 * By time, only the default sample type is known, and the others are left out.
 *
 * @throws CannotFilterError where no sample has labels, or times
 */
export function filterProfile(
  profile: Profile,
  detail: ProfileDetail | undefined,
  filter: SampleFilter,
): Profile {
  const byTime = filter.fromMs !== undefined || filter.toMs !== undefined
  const byLabel = filter.labels !== undefined && filter.labels.size > 0
  if (!byTime && !byLabel) return profile
  const isKept = labelSetsWith(detail, filter.labels)
  if (byTime) return filterByTime(profile, detail, { ...filter, isKept })
  if (detail?.labelled === undefined) throw new CannotFilterError('its samples have no labels')
  const { nodes, labelSetIndexes, values } = detail.labelled
  const selfValues = profile.selfValues.map((column, type) => {
    const kept = new Float64Array(column.length)
    const own = values[type] ?? new Float64Array(nodes.length)
    for (let row = 0; row < nodes.length; row++) {
      if (isKept[labelSetIndexes[row]!] === 1) kept[nodes[row]!]! += own[row]!
    }
    return kept
  })
  return { ...profile, selfValues, functionTotals: undefined }
}

function filterByTime(
  profile: Profile,
  detail: ProfileDetail | undefined,
  { fromMs = -Infinity, toMs = Infinity, isKept }: SampleFilter & { isKept: Uint8Array },
): Profile {
  if (detail?.timeline === undefined) throw new CannotFilterError('its samples have no times')
  const { timesMs, nodes, labelSetIndexes, values } = detail.timeline
  const kept = new Float64Array(profile.nodes.parents.length)
  let sampleCount = 0
  for (let sample = 0; sample < timesMs.length; sample++) {
    const time = timesMs[sample]!
    if (time < fromMs || time >= toMs || isKept[labelSetIndexes[sample]!] !== 1) continue
    kept[nodes[sample]!]! += values[sample]!
    sampleCount++
  }
  const sampleType = profile.sampleTypes[profile.defaultSampleTypeIndex]!
  return {
    ...profile,
    sampleTypes: [sampleType],
    defaultSampleTypeIndex: 0,
    sampleCount,
    selfValues: [kept],
    functionTotals: undefined,
  }
}

/**
 * Visits what is kept of a profile, label set by label set: several samples of a stack may come as one. Without a filter by
 * time these are values of the sample type, else of the default one. `profile` may be filtered already, or not.
 *
 * Throws CannotFilterError as `filterProfile`.
 */
export function eachSample(
  profile: Profile,
  detail: ProfileDetail | undefined,
  filter: SampleFilter,
  sampleTypeIndex = profile.defaultSampleTypeIndex,
  visit: (node: number, labelSet: number, value: number) => void,
): void {
  const isKept = labelSetsWith(detail, filter.labels)
  if (filter.fromMs !== undefined || filter.toMs !== undefined) {
    const { fromMs = -Infinity, toMs = Infinity } = filter
    if (detail?.timeline === undefined) throw new CannotFilterError('its samples have no times')
    const { timesMs, nodes, labelSetIndexes, values } = detail.timeline
    for (let sample = 0; sample < timesMs.length; sample++) {
      const time = timesMs[sample]!
      if (time < fromMs || time >= toMs || isKept[labelSetIndexes[sample]!] !== 1) continue
      visit(nodes[sample]!, labelSetIndexes[sample]!, values[sample]!)
    }
    return
  }
  sampleTypeOf(profile, sampleTypeIndex)
  if (detail?.labelled === undefined) throw new CannotFilterError('its samples have no labels')
  const { nodes, labelSetIndexes, values } = detail.labelled
  const own = values[sampleTypeIndex] ?? new Float64Array(nodes.length)
  for (let row = 0; row < nodes.length; row++) {
    if (isKept[labelSetIndexes[row]!] === 1) visit(nodes[row]!, labelSetIndexes[row]!, own[row]!)
  }
}

/** 1 for each label set that has all of the labels. */
export function labelSetsWith(
  detail: ProfileDetail | undefined,
  labels: ReadonlyMap<string, string> = new Map(),
): Uint8Array {
  return Uint8Array.from(detail?.labelSets ?? [], (set) =>
    [...labels].every(([name, value]) => set.some(([own, text]) => own === name && text === value)) ? 1 : 0,
  )
}
