import type { LiveSection } from '../push.ts'
import { histogramSum, percentileIn } from '../questions/histogram.ts'
import {
  sectionWindow,
  type ItemWindow,
  type LiveMoment,
  type WindowDistribution,
} from '../questions/item-window.ts'
import { isWhole, sectionRows, type SectionRow } from '../questions/section-rows.ts'
import type { AlertLimits, AlertType, ResponseStatistic } from './alert-thresholds.ts'

/** How far a program is from a limit, over the time that it last told. */
export interface AlertReading {
  /** null: nothing was called in the time, so that nothing was slow or failed. */
  value: number | null
  limit: number
  unit: 'percent' | 'bytes' | 'ns'
  /** The function or the process that it is of; empty of all calls. */
  of: string
  from: Date
  to: Date
}

/** What a program does not tell cannot be judged, and this is why. */
export interface Unjudged {
  unjudged: string
}

/** Which sections a threshold of each type is judged by. */
export const alertSections: Readonly<Record<AlertType, readonly LiveSection[]>> = {
  high_cpu: ['threads'],
  high_memory: ['threads'],
  slow_response: ['server', 'functions_timing'],
  high_error_rate: ['server', 'functions_timing'],
}

/** What processes told last, section by section; those that push have a moment in each section that they tell. */
export type ToldLately = Readonly<Partial<Record<LiveSection, readonly LiveMoment[]>>>

/** A process that is heard of first says of all that it did since it began: as much of that is lately. */
const youngMs = 60_000

/** Holds what a program told lately against a limit. */
export function readAlert<Type extends AlertType>(
  type: Type,
  limits: AlertLimits[Type],
  told: ToldLately,
): AlertReading | Unjudged {
  const moments = alertSections[type].flatMap((section) => told[section] ?? [])
  if (type !== 'high_memory' && moments.length > 0 && !moments.some(isOfLately))
    return { unjudged: 'The program ran before it began to push: what it does now is known in a moment.' }
  return readers[type](limits, told)
}

const readers: {
  [Type in AlertType]: (limits: AlertLimits[Type], told: ToldLately) => AlertReading | Unjudged
} = {
  high_cpu({ percent }, { threads = [] }) {
    const moments = threads.filter(isOfLately)
    return worstOf(
      processes(moments).flatMap(({ name, whole, rest }) => {
        const value = measureOf(whole, 'cpu_percent') ?? sumOf(rest, 'cpu_percent')
        return value === undefined ? [] : [{ value, limit: percent, unit: 'percent', of: name }]
      }),
      moments,
      'The program does not tell how much processor time it uses (section threads).',
    )
  },

  high_memory({ bytes, percent }, { threads = [] }) {
    return worstOf(
      processes(threads).flatMap(({ name, whole }) => {
        const used = measureOf(whole, 'rss_bytes') ?? measureOf(whole, 'heap_used_bytes')
        const most = measureOf(whole, 'memory_limit_bytes')
        if (used === undefined) return []
        return [
          ...(bytes === undefined ? [] : [{ value: used, limit: bytes, unit: 'bytes' as const, of: name }]),
          ...(percent === undefined || most === undefined || most <= 0
            ? []
            : [{ value: (100 * used) / most, limit: percent, unit: 'percent' as const, of: name }]),
        ]
      }),
      threads,
      bytes === undefined
        ? 'The program does not tell how much memory it may have (section threads): give bytes.'
        : 'The program does not tell how much memory it uses (section threads).',
    )
  },

  slow_response({ ms, statistic, functions }, told) {
    const isNamed = typeof functions === 'object'
    const sections = alertSections.slow_response.map((section) => callsOf(section, told))
    const wanted = sections.flat().filter(({ item }) => !isNamed || functions.includes(item.name))
    if (wanted.length === 0)
      return {
        unjudged: isNamed
          ? `The program tells of no function or route called ${functions.join(' or ')}.`
          : 'The program tells neither functions nor routes.',
      }
    // Routes are what is answered; the functions behind them would count everything twice.
    const group = functions === 'all' ? (sections.find((calls) => calls.length > 0) ?? []) : wanted
    const measured = group.filter(({ calls }) => calls.count > 0)
    const limits = { limit: ms * 1e6, unit: 'ns' as const }
    if (measured.length === 0) return { value: null, of: '', ...limits, ...timeOf(group) }
    const candidates =
      functions === 'all'
        ? [{ of: '', calls: togetherOf(measured) }]
        : measured.map(({ item, calls }) => ({ of: item.name, calls }))
    const values = candidates.flatMap(({ of, calls }) => {
      const value = statisticOf(calls, statistic)
      return value === undefined ? [] : [{ value, of }]
    })
    const worst = values.toSorted((a, b) => b.value - a.value)[0]
    if (worst === undefined)
      return {
        unjudged: `The program tells percentiles only since it began, which say nothing of now: judge the mean in place of ${statistic}.`,
      }
    return { ...worst, ...limits, ...timeOf(measured) }
  },

  high_error_rate({ percent }, told) {
    const limits = { limit: percent, unit: 'percent' as const, of: '' }
    for (const section of alertSections.high_error_rate) {
      const counter = section === 'server' ? 'status_5xx' : 'failed'
      const group = callsOf(section, told).filter(({ item }) => counter in item.counters)
      if (group.length === 0) continue
      const count = sum(group.map(({ calls }) => calls.count))
      const failed = sum(group.map(({ item }) => item.counters[counter] ?? 0))
      // What fails is counted when it ends, and what is called too: of both the same calls.
      const value = count === 0 ? null : Math.min(100, (100 * failed) / count)
      return { value, ...limits, ...timeOf(group) }
    }
    return { unjudged: 'The program does not tell which calls failed (sections server, functions_timing).' }
  },
}

interface Calls {
  item: ItemWindow
  calls: WindowDistribution
  window: { from: Date; to: Date }
}

/** What was called lately, by name; of all processes together. */
function callsOf(section: LiveSection, told: ToldLately): Calls[] {
  const window = windowOf(section, (told[section] ?? []).filter(isOfLately), { isApart: false })
  return (window?.items ?? []).flatMap((item) => {
    const calls = item.distributions['duration']
    return calls === undefined || window === undefined ? [] : [{ item, calls, window }]
  })
}

/** Rates are by the time of each process: one may tell every second, and another every minute. */
function windowOf(section: LiveSection, moments: readonly LiveMoment[], { isApart }: { isApart: boolean }) {
  return sectionWindow(section, moments, { isSinceStart: true, isApart })
}

/** Of a process that ran for long before it was heard of first, nobody knows what it did lately. */
function isOfLately({ before, startedAt, last }: LiveMoment): boolean {
  return before !== undefined || last.at.getTime() - startedAt.getTime() <= youngMs
}

interface ProcessRows {
  /** As its threads are told of: its session. */
  name: string
  whole: SectionRow | undefined
  rest: readonly SectionRow[]
}

function processes(moments: readonly LiveMoment[]): ProcessRows[] {
  return moments.map((moment) => {
    const window = windowOf('threads', [moment], { isApart: true })
    const rows = window === undefined ? [] : sectionRows('threads', window, [])
    return {
      name: moment.session,
      whole: rows.find(({ item }) => isWhole('threads', item)),
      rest: rows.filter(({ item }) => !isWhole('threads', item)),
    }
  })
}

function measureOf(row: SectionRow | undefined, measure: string): number | undefined {
  return row?.measures[measure]
}

function sumOf(rows: readonly SectionRow[], measure: string): number | undefined {
  const values = rows.flatMap((row) => measureOf(row, measure) ?? [])
  return values.length === 0 ? undefined : sum(values)
}

/** The one that is nearest to its limit, or furthest beyond. */
function worstOf(
  readings: readonly Pick<AlertReading & { value: number }, 'value' | 'limit' | 'unit' | 'of'>[],
  moments: readonly LiveMoment[],
  whenNone: string,
): AlertReading | Unjudged {
  const worst = readings.toSorted((a, b) => b.value / b.limit - a.value / a.limit)[0]
  const window = windowOf('threads', moments, { isApart: true })
  if (worst === undefined || window === undefined) return { unjudged: whenNone }
  return { ...worst, from: window.from, to: window.to }
}

function timeOf(calls: readonly Calls[]): { from: Date; to: Date } {
  const [from, to] = [calls.map(({ window }) => window.from), calls.map(({ window }) => window.to)]
  return {
    from: new Date(Math.min(...from.map(Number))),
    to: new Date(Math.max(...to.map(Number))),
  }
}

function togetherOf(all: readonly Calls[]): WindowDistribution {
  return all
    .map(({ calls }) => calls)
    .reduce((a, b) => ({
      ...a,
      count: a.count + b.count,
      total: a.total + b.total,
      max: undefined,
      histogram: a.histogram && b.histogram && histogramSum(a.histogram, b.histogram),
    }))
}

function statisticOf(
  { count, total, histogram, max = Infinity }: WindowDistribution,
  statistic: ResponseStatistic,
): number | undefined {
  if (statistic === 'mean') return total / count
  const found = histogram && percentileIn(histogram, Number(statistic.slice(1)))
  // A slot is told as its highest value, and no value is above the longest.
  return found === undefined ? undefined : Math.min(found, max)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0)
}
