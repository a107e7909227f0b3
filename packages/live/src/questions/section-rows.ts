import type { LiveSection } from '../push.ts'
import { sectionNames } from '../sections.ts'
import { percentileIn } from './histogram.ts'
import type { ItemWindow, SectionWindow, WindowDistribution } from './item-window.ts'

/** An item as numbers by name, of which the last word is the unit: `total_ns`, `sent_per_second`, `queued`. */
export interface SectionRow {
  item: ItemWindow
  measures: Readonly<Record<string, number>>
  /** Of what the section is about, of all its items; null where shares mean nothing. */
  sharePercent: number | null
  /** What percentiles and the longest are of; null where there are none. */
  percentilesOf: WindowDistribution['source'] | null
}

/** How a section is told. */
interface SectionView {
  /** By which rows are sorted, the most first, unless somebody wants it otherwise; else by name. */
  sort?: string
  /** Of which the items have shares. */
  share?: string
  /** The distribution that the items are about: its numbers have no name before them. */
  main?: string
  /** Items of different processes are no parts of a whole. */
  isApart?: boolean
  /** By which a row is drawn: the first of them that it has, else any. */
  drawn?: readonly string[]
}

const views: Readonly<Record<LiveSection, SectionView>> = {
  functions_timing: { sort: 'total_ns', share: 'total_ns', main: 'duration', drawn: ['mean_ns'] },
  functions_alloc: {
    sort: 'total_bytes',
    share: 'total_bytes',
    main: 'allocated',
    drawn: ['bytes_per_second'],
  },
  channels: { sort: 'sent', share: 'sent', drawn: ['queued', 'sent_per_second'] },
  streams: { sort: 'items', share: 'items', drawn: ['items_per_second'] },
  futures: { sort: 'polls', share: 'polls', drawn: ['pending', 'polls_per_second', 'calls_per_second'] },
  threads: { sort: 'cpu_percent', share: 'cpu_ns', drawn: ['cpu_percent', 'rss_bytes'] },
  gauges: { isApart: true, drawn: ['value', 'duration_mean_ns', 'size_mean_bytes', 'added_per_second'] },
  debug: { sort: 'logged', isApart: true, drawn: ['logged_per_second'] },
  values: { sort: 'logged', isApart: true, drawn: ['logged_per_second'] },
  runtime: { isApart: true, drawn: ['delay_mean_ns', 'utilization_percent'] },
  functions_cpu: { sort: 'samples', share: 'samples', drawn: ['samples_per_second'] },
  locks: { sort: 'wait_total_ns', drawn: ['wait_mean_ns', 'write_wait_mean_ns', 'read_wait_mean_ns'] },
  sql: { sort: 'total_ns', share: 'total_ns', main: 'duration', drawn: ['mean_ns'] },
  http: { sort: 'total_ns', share: 'total_ns', main: 'duration', drawn: ['mean_ns'] },
  server: { sort: 'total_ns', share: 'total_ns', main: 'duration', drawn: ['mean_ns'] },
  io: { sort: 'read_bytes', drawn: ['read_bytes_per_second', 'written_bytes_per_second'] },
}

export function viewOf(section: LiveSection): SectionView {
  return views[section]
}

/** By which of its measures an item is drawn; undefined when it has none. */
export function drawnMeasure(section: LiveSection, measures: readonly string[]): string | undefined {
  return views[section].drawn?.find((name) => measures.includes(name)) ?? measures[0]
}

/** The item that says what is known of all of the process, among its threads. */
export const wholeProcess = 'process'

/**
 * All items of a section as rows, sorted as is usual.
 * @param percentiles cost more than all the rest: of few rows, see `withPercentiles`
 */
export function sectionRows(
  section: LiveSection,
  window: SectionWindow,
  percentiles: readonly number[],
): SectionRow[] {
  const { share, sort } = views[section]
  const rows = window.items.map((item) => ({ item, ...measuresOf(section, item, window, percentiles) }))
  const whole =
    share === undefined
      ? 0
      : rows.reduce(
          (sum, { item, measures }) => sum + (isWhole(section, item) ? 0 : (measures[share] ?? 0)),
          0,
        )
  return sortedRows(
    rows.map((row) => ({
      ...row,
      sharePercent:
        share === undefined || whole === 0 || isWhole(section, row.item)
          ? null
          : (100 * (row.measures[share] ?? 0)) / whole,
    })),
    sort,
  )
}

/** A row of `sectionRows` with these percentiles too. */
export function withPercentiles(
  section: LiveSection,
  window: SectionWindow,
  row: SectionRow,
  percentiles: readonly number[],
): SectionRow {
  return { ...row, ...measuresOf(section, row.item, window, percentiles) }
}

export function isWhole(section: LiveSection, { id }: Pick<ItemWindow, 'id'>): boolean {
  return section === 'threads' && id === wholeProcess
}

/** The most first; those that do not have it last, and equal ones by name. */
export function sortedRows(rows: readonly SectionRow[], measure: string | undefined): SectionRow[] {
  const of = ({ measures }: SectionRow) => (measure === undefined ? 0 : (measures[measure] ?? -Infinity))
  return rows.toSorted((a, b) => {
    const [x, y] = [of(a), of(b)]
    return x === y ? (a.item.name < b.item.name ? -1 : 1) : y - x
  })
}

function measuresOf(
  section: LiveSection,
  item: ItemWindow,
  window: SectionWindow,
  percentiles: readonly number[],
): Pick<SectionRow, 'measures' | 'percentilesOf'> {
  const { main } = views[section]
  const names = sectionNames[section]
  const measures: Record<string, number> = {}
  let percentilesOf: SectionRow['percentilesOf'] = null
  for (const [name, value] of Object.entries(item.distributions)) {
    const unit = names.distributions?.[name] ?? 'ns'
    const prefix = name === main ? '' : `${name}_`
    measures[`${prefix}calls`] = value.count
    measures[`${prefix}calls_per_second`] = value.perSecond
    if (value.sampled !== undefined) measures[`${prefix}sampled_calls`] = value.sampled
    measures[`${prefix}total_${unit}`] = value.total
    if (value.count > 0) measures[`${prefix}mean_${unit}`] = value.total / value.count
    for (const percent of percentiles) {
      const found = percentileOf(value, percent)
      if (found === undefined) continue
      measures[`${prefix}p${String(percent).replace('.', '_')}_${unit}`] = found
      percentilesOf = name === main || percentilesOf === null ? value.source : percentilesOf
    }
    if (value.max !== undefined) measures[`${prefix}max_${unit}`] = value.max
  }
  for (const [name, value] of Object.entries(item.counters)) {
    const counter = withUnit(name, names.counters?.[name] ?? '')
    measures[counter] = value
    measures[`${counter}_per_second`] = item.countersPerSecond[name] ?? 0
  }
  for (const [name, value] of Object.entries(item.levels))
    measures[withUnit(name, names.levels?.[name] ?? '')] = value
  return { measures: { ...measures, ...derived(section, item, measures, window) }, percentilesOf }
}

/** What follows from several numbers, section by section. */
function derived(
  section: LiveSection,
  item: ItemWindow,
  measures: Readonly<Record<string, number>>,
  { from, to }: SectionWindow,
): Record<string, number> {
  const { counters, countersPerSecond, countersSinceStart } = item
  switch (section) {
    case 'functions_timing':
      // More than 100 where calls overlap, or call each other.
      return {
        wall_percent:
          (100 * (measures['total_ns'] ?? 0)) / Math.max(1, (to.getTime() - from.getTime()) * 1e6),
      }
    case 'functions_alloc':
      return 'total_bytes' in measures
        ? { bytes_per_second: (measures['mean_bytes'] ?? 0) * (measures['calls_per_second'] ?? 0) }
        : {}
    case 'channels':
      return 'queued' in item.levelChanges ? { queued_change: item.levelChanges['queued'] ?? 0 } : {}
    case 'threads':
      return {
        ...('cpu_user' in counters || 'cpu_system' in counters
          ? {
              cpu_ns: (counters['cpu_user'] ?? 0) + (counters['cpu_system'] ?? 0),
              cpu_percent:
                ((countersPerSecond['cpu_user'] ?? 0) + (countersPerSecond['cpu_system'] ?? 0)) / 1e7,
            }
          : {}),
        ...('allocated' in counters && 'freed' in counters
          ? {
              kept_bytes: (countersSinceStart['allocated'] ?? 0) - (countersSinceStart['freed'] ?? 0),
              kept_change_bytes: (counters['allocated'] ?? 0) - (counters['freed'] ?? 0),
            }
          : {}),
      }
    case 'http':
      return percentOf('error_percent', counters['errors'], measures['calls'])
    case 'server':
      return percentOf('error_percent', counters['status_5xx'], measures['calls'])
    default:
      return {}
  }
}

function percentOf(
  name: string,
  part: number | undefined,
  whole: number | undefined,
): Record<string, number> {
  return part === undefined || whole === undefined || whole === 0 ? {} : { [name]: (100 * part) / whole }
}

function percentileOf(
  { histogram, percentiles, max = Infinity }: WindowDistribution,
  percent: number,
): number | undefined {
  if (histogram === undefined) return percentiles[String(percent)]
  const found = percentileIn(histogram, percent)
  // A slot is told as its highest value, and no value is above the longest.
  return found === undefined ? undefined : Math.min(found, max)
}

/** `cpu_user` that is nanoseconds is `cpu_user_ns`; `queued_bytes` says its unit itself, as what has none does. */
function withUnit(name: string, unit: string): string {
  return (unit === 'ns' || unit === 'bytes') && !name.endsWith(`_${unit}`) ? `${name}_${unit}` : name
}
