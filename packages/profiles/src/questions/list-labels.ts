import type { ProfileDetail } from '../profile-detail.ts'
import type { Profile } from '../profile.ts'
import { eachSample, type SampleFilter } from './filter-profile.ts'
import { percentOf } from './format-value.ts'
import { labelValue } from './label-values.ts'

export interface LabelValues {
  name: string
  /** How many different values there are; `values` holds the largest. */
  valueCount: number
  /** Percentages are of all samples, also of those without the label. */
  values: { value: string; total: number; percent: number }[]
}

export interface ThreadValues {
  /** Where the format tells processes. */
  process?: string
  thread: string
  total: number
  percent: number
}

interface Options {
  /** The default sample type when absent. */
  sampleTypeIndex?: number
  /** Only these samples. */
  filter?: SampleFilter
  limit: number
}

/** The labels of samples with their largest values, in the order of names; none where samples have none. */
export function listLabels(
  profile: Profile,
  detail: ProfileDetail | undefined,
  options: Options,
): LabelValues[] {
  const { labelSets, totals, whole } = totalsOfLabelSets(profile, detail, options)
  const byName = new Map<string, Map<string, number>>()
  for (const [index, labels] of labelSets.entries()) {
    if (totals[index] === undefined) continue
    for (const [name, value] of labels) {
      const values = byName.get(name) ?? new Map<string, number>()
      byName.set(name, values)
      values.set(value, (values.get(value) ?? 0) + totals[index])
    }
  }
  return [...byName]
    .map(([name, values]) => ({
      name,
      valueCount: values.size,
      values: [...values]
        .map(([value, total]) => ({ value, total, percent: percentOf(total, whole) }))
        .toSorted((a, b) => Math.abs(b.total) - Math.abs(a.total) || (a.value < b.value ? -1 : 1))
        .slice(0, options.limit),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The threads with their processes, the largest first; none where the format does not tell them. */
export function listThreads(
  profile: Profile,
  detail: ProfileDetail | undefined,
  options: Options,
): { threads: ThreadValues[]; threadCount: number } {
  const { labelSets, totals, whole } = totalsOfLabelSets(profile, detail, options)
  const byName = new Map<string, ThreadValues>()
  for (const [index, labels] of labelSets.entries()) {
    const thread = labelValue(labels, 'thread')
    if (thread === undefined || totals[index] === undefined) continue
    const process = labelValue(labels, 'process')
    const key = `${process}\0${thread}`
    const row = byName.get(key) ?? {
      ...(process === undefined ? {} : { process }),
      thread,
      total: 0,
      percent: 0,
    }
    byName.set(key, row)
    row.total += totals[index]
  }
  const threads = [...byName.values()].toSorted(
    (a, b) => Math.abs(b.total) - Math.abs(a.total) || (a.thread < b.thread ? -1 : 1),
  )
  for (const row of threads) row.percent = percentOf(row.total, whole)
  return { threads: threads.slice(0, options.limit), threadCount: threads.length }
}

/** Undefined for sets of which no sample is kept. */
function totalsOfLabelSets(
  profile: Profile,
  detail: ProfileDetail | undefined,
  { filter = {}, sampleTypeIndex }: Options,
): { labelSets: ProfileDetail['labelSets']; totals: (number | undefined)[]; whole: number } {
  const labelSets = detail?.labelSets ?? []
  const totals: (number | undefined)[] = labelSets.map(() => undefined)
  let whole = 0
  if (labelSets.length > 1) {
    eachSample(profile, detail, filter, sampleTypeIndex, (_node, labelSet, value) => {
      totals[labelSet] = (totals[labelSet] ?? 0) + value
      whole += value
    })
  }
  return { labelSets, totals, whole }
}
