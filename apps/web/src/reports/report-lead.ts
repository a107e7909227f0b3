import type { ReportAnswer } from './report-source.ts'

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })

/** What stands under the name of a report on paper and for visitors. */
export function reportLead({
  bench_report: { is_trend, bench_result_ids, version, updated_at },
}: ReportAnswer): string {
  const kind = is_trend
    ? 'Trend'
    : bench_result_ids.length > 1
      ? `Comparison of ${bench_result_ids.length} load tests`
      : 'Report of a load test'
  return `${kind}, version ${version} of ${exact.format(new Date(updated_at))}`
}
