import type { LiveSection } from '../push.ts'
import type { SectionWindow } from './item-window.ts'
import { isWhole, sectionRows, withPercentiles, type SectionRow } from './section-rows.ts'

/** What became slower, or faster, from one time to another. */
export interface TimeChange {
  section: LiveSection
  name: string
  /** `duration`, or what else is measured of it: `wait`, `poll`. */
  measured: string
  calls: readonly [base: number, head: number]
  meanNs: readonly [base: number, head: number]
  changePercent: number
  /** Percentiles that are known of both times, by their names: `p95_ns`. */
  percentiles: Readonly<Record<string, readonly [base: number, head: number]>>
  /** Whether these are of the two times; else of all that the program did until then. */
  isPercentilesOfTimes: boolean
  /** Because of it, calls took so much longer in all, each second; below zero: less. */
  extraNsPerSecond: number
}

/** An amount that is another one than it was. */
export interface AmountChange {
  section: LiveSection
  name: string
  measure: string
  base: number
  head: number
  /** null: there was nothing. */
  changePercent: number | null
  /** The difference, of all that there is of this measure in the section. */
  sharePercent: number
}

/** Amounts that are told: rates of what is counted, and how much there is. Times are told apart. */
const amounts: Partial<Record<LiveSection, readonly string[]>> = {
  functions_timing: ['calls_per_second'],
  functions_alloc: ['bytes_per_second', 'allocations_per_second'],
  channels: ['sent_per_second', 'received_per_second', 'queued', 'queued_bytes'],
  streams: ['items_per_second'],
  futures: ['polls_per_second', 'pending', 'failed_per_second'],
  threads: ['cpu_percent', 'kept_bytes', 'rss_bytes', 'heap_used_bytes'],
  gauges: ['value'],
  sql: ['calls_per_second'],
  http: ['calls_per_second', 'errors_per_second'],
  server: ['calls_per_second', 'status_5xx_per_second'],
  io: ['read_bytes_per_second', 'written_bytes_per_second', 'errors_per_second'],
}

/** Sections that can be compared. */
export const comparedSections: readonly LiveSection[] = [
  'functions_timing',
  'functions_alloc',
  'channels',
  'streams',
  'futures',
  'threads',
  'gauges',
  'locks',
  'sql',
  'http',
  'server',
  'io',
]

const percentiles = [50, 95, 99]
/** Fewer calls say nothing of how long they take. */
const callsMin = 5
/** Smaller changes happen by themselves. */
const changeMin = 0.05

/** Mean times of calls that changed, those first that make the largest difference. Something of one name is the same. */
export function timeChanges(section: LiveSection, base: SectionWindow, head: SectionWindow): TimeChange[] {
  return pairs(section, base, head)
    .flatMap(([before, after]) => {
      if (before === undefined || after === undefined || isWhole(section, after.item)) return []
      const changed = changedTimes(before, after)
      if (changed.length === 0) return []
      const was = withPercentiles(section, base, before, percentiles)
      const is = withPercentiles(section, head, after, percentiles)
      return changed.map((prefix) => timeChange(prefix, was, is, section, secondsOf(head)))
    })
    .toSorted((a, b) => Math.abs(b.extraNsPerSecond) - Math.abs(a.extraNsPerSecond))
}

/** Amounts that changed, those first of which the change is most of all there is. */
export function amountChanges(
  section: LiveSection,
  base: SectionWindow,
  head: SectionWindow,
): AmountChange[] {
  const both = pairs(section, base, head)
  return (amounts[section] ?? [])
    .flatMap((measure) => {
      const sum = (side: 0 | 1) =>
        both.reduce((total, pair) => total + Math.abs(pair[side]?.measures[measure] ?? 0), 0)
      const whole = Math.max(sum(0), sum(1))
      return both.flatMap(([before, after]): AmountChange[] => {
        const [from, to] = [before?.measures[measure], after?.measures[measure]]
        if (from === undefined && to === undefined) return []
        const [was, is] = [from ?? 0, to ?? 0]
        if (Math.abs(is - was) <= changeMin * Math.abs(was)) return []
        return [
          {
            section,
            name: (after ?? before)?.item.name ?? '',
            measure,
            base: was,
            head: is,
            changePercent: was === 0 ? null : (100 * (is - was)) / Math.abs(was),
            sharePercent: (100 * Math.abs(is - was)) / whole,
          },
        ]
      })
    })
    .toSorted((a, b) => b.sharePercent - a.sharePercent)
}

type Pair = readonly [base: SectionRow | undefined, head: SectionRow | undefined]

/** By name and nothing else: places move from version to version. */
function pairs(section: LiveSection, base: SectionWindow, head: SectionWindow): Pair[] {
  const rowsOf = (window: SectionWindow) =>
    new Map(sectionRows(section, window, []).map((row) => [row.item.name, row]))
  const [before, after] = [rowsOf(base), rowsOf(head)]
  return [...new Set([...after.keys(), ...before.keys()])].map((name) => [before.get(name), after.get(name)])
}

/** What is before `mean_ns` in the names of those times that changed. */
function changedTimes(before: SectionRow, after: SectionRow): string[] {
  return Object.keys(after.measures).flatMap((measure) => {
    const prefix = /^(.*)mean_ns$/.exec(measure)?.[1]
    if (prefix === undefined) return []
    const [calls, means] = [numbers(before, after, `${prefix}calls`), numbers(before, after, measure)]
    if (!isPair(calls) || !isPair(means) || Math.min(...calls) < callsMin) return []
    return Math.abs(means[1] - means[0]) <= changeMin * means[0] ? [] : [prefix]
  })
}

function timeChange(
  prefix: string,
  before: SectionRow,
  after: SectionRow,
  section: LiveSection,
  headSeconds: number,
): TimeChange {
  const [callsWas = 0, callsIs = 0] = numbers(before, after, `${prefix}calls`)
  const [was = 0, is = 0] = numbers(before, after, `${prefix}mean_ns`)
  return {
    section,
    name: after.item.name,
    measured: prefix === '' ? 'duration' : prefix.slice(0, -1),
    calls: [callsWas, callsIs],
    meanNs: [was, is],
    changePercent: was === 0 ? 100 : (100 * (is - was)) / was,
    percentiles: Object.fromEntries(
      percentiles.flatMap((percent) => {
        const known = numbers(before, after, `${prefix}p${percent}_ns`)
        return isPair(known) ? [[`p${percent}_ns`, known]] : []
      }),
    ),
    isPercentilesOfTimes: before.percentilesOf === 'window' && after.percentilesOf === 'window',
    extraNsPerSecond: (is - was) * (callsIs / Math.max(headSeconds, 1e-3)),
  }
}

function numbers(before: SectionRow, after: SectionRow, measure: string) {
  return [before.measures[measure], after.measures[measure]] as const
}

function isPair(pair: readonly [number | undefined, number | undefined]): pair is readonly [number, number] {
  return pair[0] !== undefined && pair[1] !== undefined
}

function secondsOf({ from, to }: SectionWindow): number {
  return (to.getTime() - from.getTime()) / 1000
}
