import type { LiveDistribution, LiveItem, LiveSection } from '../push.ts'
import { histogramBetween, histogramSum, longestBetween, type SlotCounts } from './histogram.ts'
import { withoutSqlLiterals } from './sql-text.ts'

/** A section of a process at the beginning and at the end of a time. */
export interface LiveMoment {
  session: string
  /** undefined: it is asked for since the process began, or that began within the time. */
  before: { at: Date; items: readonly LiveItem[] } | undefined
  last: { at: Date; items: readonly LiveItem[] }
  /** When the process began, or was heard of first. */
  startedAt: Date
}

/** How values were distributed in a time. */
export interface WindowDistribution {
  count: number
  perSecond: number
  sampled: number | undefined
  total: number
  max: number | undefined
  hasHistogram: boolean
  /** Worked out when it is asked for first: an answer is of thousands of items, and shows the percentiles of some. */
  readonly histogram: SlotCounts | undefined
  /** As the program computed them, since it began. */
  percentiles: Readonly<Record<string, number>>
  /** What `percentiles` and `max` are of, where there is no histogram. */
  source: 'window' | 'since_start' | 'since_start_worst_process'
}

/** What an item did in a time; of several processes when it was added up. */
export interface ItemWindow {
  /** In the newest process that has it. */
  id: string
  name: string
  place: LiveItem['place']
  kind: string | undefined
  state: string | undefined
  sessions: readonly string[]
  /** What came to it in the time. */
  counters: Readonly<Record<string, number>>
  countersPerSecond: Readonly<Record<string, number>>
  /** What they are since the process began. */
  countersSinceStart: Readonly<Record<string, number>>
  /** At its end. */
  levels: Readonly<Record<string, number>>
  /** By how much they rose in the time; of what was there at its beginning. */
  levelChanges: Readonly<Record<string, number>>
  distributions: Readonly<Record<string, WindowDistribution>>
  texts: Readonly<Record<string, string>>
}

/** Who said nothing for so long before the end of the time has no levels any more: a process that is gone has no queue. */
export const silentAfterMs = 60_000

export interface SectionWindow {
  items: readonly ItemWindow[]
  from: Date
  to: Date
  processes: number
  /** Processes of which it is only known what they did since they began, though less was asked for. */
  withoutBeginning: number
}

/**
 * What each item of a section did: the difference of two snapshots of each process, added up by name and place. Levels are added
 * up too, but for those whose name says that they are the most there was.
 * @param options.isSinceStart rates are by the age of each process then, and not by the time that all have in common
 * @param options.isApart items of different processes stay apart
 * @param options.from when the time that was asked for began
 */
export function sectionWindow(
  section: LiveSection,
  moments: readonly LiveMoment[],
  options: { isSinceStart: boolean; isApart: boolean; from?: Date | undefined },
): SectionWindow | undefined {
  const ends = moments.map(({ last }) => last.at.getTime())
  const to = Math.max(...ends)
  const from = Math.min(...moments.map(beginningOf))
  if (moments.length === 0) return undefined
  const newestFirst = moments.toSorted((a, b) => b.last.at.getTime() - a.last.at.getTime())
  const groups = new Map<string, ItemWindow[]>()
  const withoutLiterals = remembering(withoutSqlLiterals)
  for (const moment of newestFirst) {
    const end = moment.last.at.getTime()
    const seconds = (options.isSinceStart ? end - beginningOf(moment) : to - from) / 1000
    const older = new Map(moment.before?.items.map((item) => [item.id, item]))
    for (const told of moment.last.items) {
      const before = older.get(told.id)
      const item = itemBetween(section, told, before, {
        session: moment.session,
        seconds,
        isSinceStart: options.isSinceStart || moment.before === undefined,
        hasLevels: to - end < silentAfterMs,
        withoutLiterals,
      })
      const key = JSON.stringify([item.name, item.place, options.isApart ? [item.sessions, item.id] : 0])
      groups.set(key, [...(groups.get(key) ?? []), item])
    }
  }
  return {
    items: [...groups.values()].map((group) => group.reduce(itemSum)),
    from: new Date(from),
    to: new Date(to),
    processes: moments.length,
    withoutBeginning: options.isSinceStart
      ? 0
      : moments.filter(
          ({ before, startedAt }) =>
            before === undefined && options.from !== undefined && startedAt < options.from,
        ).length,
  }
}

function beginningOf({ before, startedAt }: LiveMoment): number {
  return (before?.at ?? startedAt).getTime()
}

interface Circumstances {
  session: string
  seconds: number
  isSinceStart: boolean
  hasLevels: boolean
  withoutLiterals: (text: string) => string
}

function itemBetween(
  section: LiveSection,
  told: LiveItem,
  older: LiveItem | undefined,
  { session, seconds, isSinceStart, hasLevels, withoutLiterals }: Circumstances,
): ItemWindow {
  const item = shownItem(section, told, withoutLiterals)
  const counters = differences(item.counters ?? {}, older?.counters ?? {})
  const levels = hasLevels ? (item.levels ?? {}) : {}
  return {
    id: item.id,
    name: item.name,
    place: item.place,
    kind: item.kind,
    state: hasLevels ? item.state : undefined,
    sessions: [session],
    counters,
    countersPerSecond: mapValues(counters, (value) => perSecond(value, seconds)),
    countersSinceStart: item.counters ?? {},
    levels,
    levelChanges: Object.fromEntries(
      Object.entries(levels).flatMap(([name, value]) => {
        const was = older?.levels?.[name]
        return was === undefined ? [] : [[name, value - was]]
      }),
    ),
    distributions: mapValues(item.distributions ?? {}, (distribution, name) =>
      distributionBetween(distribution, older?.distributions?.[name], { isSinceStart, seconds }),
    ),
    texts: item.texts ?? {},
  }
}

/** An item as it may be shown to whoever reads metrics: SQL without what was looked for. */
export function shownItem(
  section: LiveSection,
  item: LiveItem,
  withoutLiterals: (text: string) => string = withoutSqlLiterals,
): LiveItem {
  if (section !== 'sql') return item
  const texts =
    item.texts && mapValues(item.texts, (text, name) => (name === 'query' ? withoutLiterals(text) : text))
  return { ...item, name: withoutLiterals(item.name), ...(texts && { texts }) }
}

/** All processes of a program have the same queries. */
function remembering(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text) ?? change(text)
    known.set(text, found)
    return found
  }
}

function distributionBetween(
  last: LiveDistribution,
  before: LiveDistribution | undefined,
  { isSinceStart, seconds }: Pick<Circumstances, 'isSinceStart' | 'seconds'>,
): WindowDistribution {
  // Of one that had no values, or that began anew, all values are of the time.
  const isWhole = before === undefined || before.count === 0 || last.count < before.count
  const base = isWhole ? undefined : before
  const count = last.count - (base?.count ?? 0)
  const told = {
    count,
    perSecond: perSecond(count, seconds),
    sampled: last.sampled === undefined ? undefined : last.sampled - (base?.sampled ?? 0),
    total: last.total - (base?.total ?? 0),
    percentiles: Object.fromEntries(
      Object.entries(last.percentiles ?? {}).map(([percent, value]) => [String(Number(percent)), value]),
    ),
  }
  const [older, newer] = [base?.histogram, last.histogram]
  if (base === undefined) {
    const source = isSinceStart ? 'since_start' : 'window'
    return { ...told, max: last.max, hasHistogram: newer !== undefined, histogram: newer, source }
  }
  if (older === undefined || newer === undefined)
    return { ...told, max: last.max, hasHistogram: false, histogram: undefined, source: 'since_start' }
  return withHistogram(
    { ...told, max: longestBetween(older, newer), source: isSinceStart ? 'since_start' : 'window' },
    () => histogramBetween(older, newer),
  )
}

function withHistogram(
  told: Omit<WindowDistribution, 'hasHistogram' | 'histogram'>,
  make: () => SlotCounts | undefined,
): WindowDistribution {
  let made: SlotCounts | undefined
  return {
    ...told,
    hasHistogram: true,
    get histogram() {
      return (made ??= make())
    },
  }
}

/** What `b` did added to `a`, of which the process is newer. */
function itemSum(a: ItemWindow, b: ItemWindow): ItemWindow {
  return {
    ...a,
    kind: a.kind ?? b.kind,
    state: a.state ?? b.state,
    sessions: [...new Set([...a.sessions, ...b.sessions])],
    counters: recordSum(a.counters, b.counters),
    countersPerSecond: recordSum(a.countersPerSecond, b.countersPerSecond),
    countersSinceStart: recordSum(a.countersSinceStart, b.countersSinceStart),
    levels: recordSum(a.levels, b.levels),
    levelChanges: recordSum(a.levelChanges, b.levelChanges),
    distributions: merged(a.distributions, b.distributions, distributionSum),
    texts: { ...b.texts, ...a.texts },
  }
}

function distributionSum(a: WindowDistribution, b: WindowDistribution): WindowDistribution {
  if (b.count === 0) return a
  if (a.count === 0) return b
  const told = {
    count: a.count + b.count,
    perSecond: a.perSecond + b.perSecond,
    sampled:
      a.sampled === undefined && b.sampled === undefined
        ? undefined
        : (a.sampled ?? a.count) + (b.sampled ?? b.count),
    total: a.total + b.total,
    max: a.max === undefined || b.max === undefined ? undefined : Math.max(a.max, b.max),
    // Percentiles of all are no higher than those of the process where they are highest.
    percentiles: Object.fromEntries(
      Object.entries(a.percentiles).flatMap(([name, value]) => {
        const other = b.percentiles[name]
        return other === undefined ? [] : [[name, Math.max(value, other)]]
      }),
    ),
  }
  if (!a.hasHistogram || !b.hasHistogram)
    return { ...told, hasHistogram: false, histogram: undefined, source: 'since_start_worst_process' }
  const source = a.source === 'since_start' || b.source === 'since_start' ? 'since_start' : 'window'
  return withHistogram(
    { ...told, source },
    () => a.histogram && b.histogram && histogramSum(a.histogram, b.histogram),
  )
}

/** A counter that is less than it was began anew. */
function differences(
  last: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> {
  return mapValues(last, (value, name) => {
    const was = before[name] ?? 0
    return value < was ? value : value - was
  })
}

function recordSum(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  return merged(a, b, (x, y, name) => (name.endsWith('_max') ? Math.max(x, y) : x + y))
}

function merged<T>(
  a: Readonly<Record<string, T>>,
  b: Readonly<Record<string, T>>,
  merge: (x: T, y: T, name: string) => T,
): Record<string, T> {
  const result = { ...b, ...a }
  for (const [name, value] of Object.entries(a)) {
    const other = b[name]
    if (other !== undefined) result[name] = merge(value, other, name)
  }
  return result
}

function perSecond(value: number, seconds: number): number {
  return seconds > 0 ? value / seconds : 0
}

function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))
}
