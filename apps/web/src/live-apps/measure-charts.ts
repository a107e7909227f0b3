import { measureTitle } from '@flamegate/contract'
import type { TimeSeriesLine } from '../charts/time-series-options.ts'

export interface MeasureChart {
  title: string
  lines: TimeSeriesLine[]
}

/** By the end of a measure's name; in the order in which they are shown. Units are those of `formatMetric`. */
const kinds = [
  { end: /(?<!_ns|bytes|_percent|_per_second)$/, title: 'Amounts', unit: 'count' },
  { end: /_ns$/, title: 'Times', unit: 'ns' },
  { end: /bytes$/, title: 'Bytes', unit: 'bytes' },
  { end: /_percent$/, title: 'Percent', unit: '%' },
  { end: /(?<!_ns|bytes)_per_second$/, title: 'Rates', unit: 'per second' },
  { end: /_ns_per_second$/, title: 'Time per second', unit: 'ns' },
  { end: /bytes_per_second$/, title: 'Bytes per second', unit: 'bytes per second' },
] as const

/** Measures as charts: those of one unit are lines of one. */
export function measureCharts(
  measures: Readonly<Record<string, readonly (number | null)[]>>,
): MeasureChart[] {
  return kinds.flatMap(({ end, title, unit }) => {
    const lines = Object.entries(measures).flatMap(([name, values]) =>
      end.test(name) ? { name: measureTitle(name), unit, values: [...values] } : [],
    )
    return lines.length === 0 ? [] : { title, lines }
  })
}
