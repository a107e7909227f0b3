import { forEachRecord } from './csv-records.ts'
import { K6Points } from './k6-points.ts'
import type { ResultReader } from './result-sink.ts'

/** Whether a first line is the heading of k6's CSV. */
export function isK6CsvLine(line: string): boolean {
  return /^"?metric_name"?,"?timestamp"?,"?metric_value"?,/.test(line)
}

/** Reads [k6's points as CSV](https://grafana.com/docs/k6/latest/results-output/real-time/csv/): a row for each. */
export const readK6Csv: ResultReader = async (content, sink) => {
  const points = new K6Points(sink)
  let places: ReadonlyMap<string, number> | undefined
  let isInSeconds = false
  await forEachRecord(
    content,
    () => ',',
    (cells, line) => {
      if (places === undefined) {
        places = new Map(cells.map((name, place) => [name, place]))
        return
      }
      const heading = places
      const tag = (name: string) => cells[heading.get(name) ?? -1] ?? ''
      const timeMs = timeOf(tag('timestamp'))
      const value = Number(tag('metric_value'))
      if (timeMs === undefined || tag('metric_value') === '' || !(value >= 0))
        return sink.skip(`line ${line}`, 'it has no time and value of a metric')
      isInSeconds ||= tag('timestamp').length <= 10
      points.add({ metric: tag('metric_name'), timeMs, value, tag })
    },
  )
  points.end()
  if (isInSeconds)
    sink.note('The times of this CSV are whole seconds (K6_CSV_TIME_FORMAT=unix_milli would have told more).')
}

/** Unix time in seconds, milli-, micro- or nanoseconds, or as RFC 3339: k6 writes it as it is told. */
function timeOf(text: string): number | undefined {
  // By their digits: what is finer than a millisecond is left out.
  if (/^\d{1,19}$/.test(text)) return text.length <= 10 ? Number(text) * 1000 : Number(text.slice(0, 13))
  const parsed = Date.parse(text)
  return Number.isNaN(parsed) ? undefined : parsed
}
