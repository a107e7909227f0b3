import { forEachRecord } from './csv-records.ts'
import type { ResultReader, ResultSink } from './result-sink.ts'

/** Whether a first line is the heading of Locust's `…_stats_history.csv`. */
export function isLocustHistoryLine(line: string): boolean {
  return /^"?Timestamp"?,"?User Count"?,"?Type"?,"?Name"?,/.test(line)
}

/** Whether a first line is the heading of Locust's `…_stats.csv`. */
export function isLocustStatsLine(line: string): boolean {
  return /^"?Type"?,"?Name"?,"?Request Count"?,"?Failure Count"?,/.test(line)
}

/** What a second of Locust says: totals since the beginning. */
interface Row {
  atMs: number
  total: number
  failed: number
}

type Percentiles = { percent: number; ms: number }[]

/** Locust's row for all names together. */
const aggregated = 'Aggregated'

/**
 * Reads [Locust's history](https://docs.locust.io/en/stable/retrieving-stats.html): of each second how many requests there were, and
 * percentiles of them, so single times are lost. With --csv-full-history there are rows of every name, whose percentiles are
 * of some ten seconds; without, one row of all, whose percentiles are of the whole run until then: only the last are of use.
 */
export const readLocustHistory: ResultReader = async (content, sink) => {
  let places: ReadonlyMap<string, number> | undefined
  let percents: readonly { percent: number; place: number }[] = []
  const before = new Map<string, Row>()
  const all: Row[] = []
  let last: Percentiles = []
  let hasNames = false
  await forEachRecord(
    content,
    () => ',',
    (cells, line) => {
      if (places === undefined) {
        places = new Map(cells.map((name, place) => [name, place]))
        percents = cells.flatMap((name, place) =>
          /^\d+(?:\.\d+)?%$/.test(name) ? [{ percent: Number(name.slice(0, -1)), place }] : [],
        )
        return
      }
      const heading = places
      const cell = (name: string) => cells[heading.get(name) ?? -1] ?? ''
      const row: Row = {
        atMs: Number(cell('Timestamp')) * 1000,
        total: Number(cell('Total Request Count')),
        failed: Number(cell('Total Failure Count')),
      }
      const isSound = ({ atMs, total, failed }: Row) => atMs >= 0 && [total, failed].every(isCount)
      if (cell('Total Request Count') === '' || !isSound(row))
        return sink.skip(`line ${line}`, 'it has no time, or no total counts')
      const name = [cell('Type'), cell('Name')].filter((word) => word !== '').join(' ')
      const known = percents
        .map(({ percent, place }) => ({ percent, ms: Number(cells[place]) }))
        .filter(({ ms }) => ms >= 0)
      if (cell('Name') === aggregated) {
        const users = Number(cell('User Count'))
        if (users >= 0) sink.users('', row.atMs, users)
        all.push(row)
        if (known.length > 0) last = known
        return
      }
      hasNames = true
      putChange(name, before.get(name), row, known, sink)
      before.set(name, row)
    },
  )
  if (!hasNames) {
    let previous: Row | undefined
    for (const row of all) {
      putChange('All requests', previous, row, last, sink)
      previous = row
    }
  }
  sink.note(
    hasNames
      ? 'Locust keeps no single times. Counts are its own; response times are put together from the percentiles that it tells of each second, so those between and of the whole run are near, and not exact.'
      : 'Locust keeps no single times, and this history has one row for all requests. Counts are its own; percentiles are those of the whole run as Locust told them at its end, the same in every second: nothing is known of how they changed, nor of single names. Run it with --csv-full-history for both.',
  )
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** What came since the row before. */
function putChange(
  name: string,
  before: Row | undefined,
  { atMs, total, failed }: Row,
  percentiles: Percentiles,
  sink: ResultSink,
): void {
  // Locust begins anew when its statistics are reset.
  const base = before === undefined || before.total > total ? { total: 0, failed: 0 } : before
  const count = total - base.total
  if (count > 0)
    sink.band({
      name,
      endMs: atMs,
      count,
      failed: Math.min(count, Math.max(0, failed - base.failed)),
      percentiles,
    })
}
