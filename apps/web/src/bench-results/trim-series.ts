import type { AnswerOf, operations } from '@flamegate/contract'

export type BenchSeries = AnswerOf<typeof operations.getBenchSeries>

/** Without the seconds at the end in which nobody ran and nothing was sent: agents end before a run does. */
export function trimSeries(series: BenchSeries): BenchSeries {
  const telling = series.lines.filter(({ metric }) => metric === 'rate' || metric === 'users')
  const last = series.seconds.findLastIndex((_, index) =>
    telling.some(({ values }) => (values[index] ?? 0) > 0),
  )
  // What has no such line, or nothing in it, is left as it is.
  if (last === -1 || last === series.seconds.length - 1) return series
  return {
    ...series,
    seconds: series.seconds.slice(0, last + 1),
    lines: series.lines.map((line) => ({ ...line, values: line.values.slice(0, last + 1) })),
  }
}
