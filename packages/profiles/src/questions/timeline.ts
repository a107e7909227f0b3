import type { ProfileDetail } from '../profile-detail.ts'
import { sampleTypeOf, type Profile } from '../profile.ts'
import { labelSetsWith, type SampleFilter } from './filter-profile.ts'
import { percentOf, millisecondsPer } from './format-value.ts'
import { originsOf } from './function-origin.ts'
import { threadName } from './label-values.ts'

export interface TimelineOptions {
  by: 'thread' | 'origin'
  /** How many pieces of time. */
  bucketCount: number
  /** Only these samples; `fromMs` and `toMs` are also the ends of the timeline. */
  filter?: SampleFilter
  /** Most series; the smallest others are added up as the last one. 20 when absent. */
  maxSeries?: number
}

/** When a profile has its values, in pieces of equal length. */
export interface ProfileTimeline {
  /** Of the default sample type: only that is known by time. */
  sampleType: string
  unit: string
  /** Since the start of the profile. */
  startMs: number
  endMs: number
  bucketMs: number
  /** The largest first. */
  series: TimelineSeries[]
}

export interface TimelineSeries {
  /** A thread (with its process), an origin, or what is left. */
  name: string
  value: number
  percent: number
  /** One per bucket. */
  values: Float64Array
  /** Where nothing was measured for long: 5 times the usual distance of samples, and 2 buckets. The longest, in order. */
  gaps: { fromMs: number; toMs: number }[]
}

const otherSeries = 'Other'
const longestGaps = 100

/**
 * Where in time the values of a profile are. A value that is a time is there for as long, from when its sample was taken;
 * others are where their sample is. Nothing where samples have no times.
 */
export function profileTimeline(
  profile: Profile,
  detail: ProfileDetail | undefined,
  options: TimelineOptions,
): ProfileTimeline {
  const timeline = detail?.timeline
  const { type, unit } = sampleTypeOf(profile)
  if (timeline === undefined) return { sampleType: type, unit, startMs: 0, endMs: 0, bucketMs: 0, series: [] }
  const msPerValue = millisecondsPer(unit) ?? 0
  const { timesMs, values } = timeline
  const { isKept, fromMs, toMs } = keptSamples(detail!, options.filter, msPerValue)
  const { names, seriesOf } = seriesOfSamples(profile, detail!, options)

  const seriesTotals = new Float64Array(names.length)
  const sampleCounts = new Int32Array(names.length)
  let whole = 0
  for (let sample = 0; sample < timesMs.length; sample++) {
    if (!isKept(sample)) continue
    const value = values[sample]!
    whole += value
    seriesTotals[seriesOf(sample)]! += value
    if (value !== 0) sampleCounts[seriesOf(sample)]!++
  }
  const { order, rankOf } = ranked(seriesTotals, sampleCounts, options.maxSeries ?? 20)
  const bucketMs = (toMs - fromMs) / options.bucketCount || 1
  const series = order.map((rank): TimelineSeries => ({
    name: rank < 0 ? otherSeries : names[rank]!,
    value: 0,
    percent: 0,
    values: new Float64Array(),
    gaps: [],
  }))
  const buckets = series.map(() => new Buckets(options.bucketCount))
  const counts = new Int32Array(series.length)
  for (const [index, count] of sampleCounts.entries()) if (count > 0) counts[rankOf[index]!]! += count
  const gapMs = counts.map((count) => Math.max(2 * bucketMs, (5 * (toMs - fromMs)) / Math.max(1, count)))
  const lastEnd = new Float64Array(series.length).fill(fromMs)
  for (let sample = 0; sample < timesMs.length; sample++) {
    const value = values[sample]!
    if (value === 0 || !isKept(sample)) continue
    const rank = rankOf[seriesOf(sample)]!
    const row = series[rank]!
    const start = timesMs[sample]!
    const end = start + Math.abs(value) * msPerValue
    row.value += value
    buckets[rank]!.add(value, (start - fromMs) / bucketMs, (end - fromMs) / bucketMs)
    if (start - lastEnd[rank]! > gapMs[rank]!) row.gaps.push({ fromMs: lastEnd[rank]!, toMs: start })
    lastEnd[rank] = Math.max(lastEnd[rank]!, end)
  }
  for (const [rank, row] of series.entries()) {
    if (toMs - lastEnd[rank]! > gapMs[rank]!) row.gaps.push({ fromMs: lastEnd[rank]!, toMs })
    row.gaps = longest(row.gaps)
    row.values = buckets[rank]!.finish()
    row.percent = percentOf(row.value, whole)
  }
  return { sampleType: type, unit, startMs: fromMs, endMs: toMs, bucketMs, series }
}

/** Which samples are asked for, and from when to when they are. */
function keptSamples(
  detail: ProfileDetail,
  filter: SampleFilter = {},
  msPerValue: number,
): { isKept: (sample: number) => boolean; fromMs: number; toMs: number } {
  const { timesMs, labelSetIndexes, values } = detail.timeline!
  const hasLabels = labelSetsWith(detail, filter.labels)
  let lastEnd = timesMs[timesMs.length - 1] ?? 0
  for (let sample = 0; sample < timesMs.length; sample++) {
    lastEnd = Math.max(lastEnd, timesMs[sample]! + Math.abs(values[sample]!) * msPerValue)
  }
  const fromMs = filter.fromMs ?? Math.min(0, timesMs[0] ?? 0)
  const toMs = Math.max(fromMs, filter.toMs ?? lastEnd)
  return {
    fromMs,
    toMs,
    // The last sample is at the very end where values are no times.
    isKept: (sample) =>
      hasLabels[labelSetIndexes[sample]!] === 1 &&
      timesMs[sample]! >= fromMs &&
      (timesMs[sample]! < toMs || filter.toMs === undefined),
  }
}

function seriesOfSamples(
  profile: Profile,
  detail: ProfileDetail,
  { by }: TimelineOptions,
): { names: string[]; seriesOf: (sample: number) => number } {
  const { nodes, labelSetIndexes } = detail.timeline!
  const indexes = new Map<string, number>()
  const indexOf = (name: string) => {
    const index = indexes.get(name) ?? indexes.size
    indexes.set(name, index)
    return index
  }
  if (by === 'thread') {
    const ofSet = detail.labelSets.map((labels) => indexOf(threadName(labels) ?? 'All samples'))
    return { names: [...indexes.keys()], seriesOf: (sample) => ofSet[labelSetIndexes[sample]!]! }
  }
  const ofFunction = originsOf(profile.functions).map((origin) => indexOf(origin))
  const ofRoot = indexOf('Unknown')
  const { functionIndexes } = profile.nodes
  return {
    names: [...indexes.keys()],
    seriesOf: (sample) => ofFunction[functionIndexes[nodes[sample]!]!] ?? ofRoot,
  }
}

/** The largest series in order, -1 for all others together, and the place of each series in that order. */
function ranked(
  totals: Float64Array,
  sampleCounts: Int32Array,
  maxSeries: number,
): { order: number[]; rankOf: Int32Array } {
  const bySize = [...totals.keys()]
    .filter((index) => sampleCounts[index]! > 0)
    .toSorted((a, b) => Math.abs(totals[b]!) - Math.abs(totals[a]!) || a - b)
  const order = bySize.length <= maxSeries ? bySize : [...bySize.slice(0, maxSeries - 1), -1]
  const rankOf = new Int32Array(totals.length).fill(order.length - 1)
  for (const [rank, index] of order.entries()) if (index >= 0) rankOf[index] = rank
  return { order, rankOf }
}

/** Values in buckets; long ones are added in constant time. */
class Buckets {
  private readonly values: Float64Array
  /** What every bucket from here on has more than the one before. */
  private readonly rises: Float64Array

  constructor(count: number) {
    this.values = new Float64Array(count)
    this.rises = new Float64Array(count + 1)
  }

  /** `from` and `to` count buckets, from 0. What is beyond the last one is not added. */
  add(value: number, from: number, to: number): void {
    const last = this.values.length - 1
    const first = Math.min(last, Math.max(0, Math.floor(from)))
    const end = Math.min(last, Math.max(first, Math.ceil(to) - 1))
    if (first === end && to <= last + 1) {
      this.values[first]! += value
      return
    }
    const perBucket = value / (to - from)
    this.values[first]! += perBucket * (first + 1 - from)
    if (end === first) return
    this.values[end]! += perBucket * (Math.min(end + 1, to) - end)
    this.rises[first + 1]! += perBucket
    this.rises[end]! -= perBucket
  }

  finish(): Float64Array {
    let long = 0
    let largest = 0
    for (let bucket = 0; bucket < this.values.length; bucket++) {
      long += this.rises[bucket]!
      largest = Math.max(largest, Math.abs(long))
      // What is left of sums that cancel out is nothing.
      if (Math.abs(long) > largest * 1e-9) this.values[bucket]! += long
    }
    return this.values
  }
}

function longest(gaps: TimelineSeries['gaps']): TimelineSeries['gaps'] {
  if (gaps.length <= longestGaps) return gaps
  return gaps
    .toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))
    .slice(0, longestGaps)
    .toSorted((a, b) => a.fromMs - b.fromMs)
}
