import type { BenchSeries } from './trim-series.ts'

/** As `packages/loadtest-engine` has it: above these a generator measures itself. Of one core, and milliseconds. */
const most = { cpu_share: 0.9, event_loop_delay_max: 100, send_lag_max: 100 } as const

/** For how many seconds of what is drawn some generator was at its limit. */
export function limitedSeconds({ lines, seconds, bucket_seconds }: BenchSeries): number {
  const limits = lines.flatMap(({ metric, values }) =>
    metric === 'cpu_share' || metric === 'event_loop_delay_max' || metric === 'send_lag_max'
      ? [{ values, limit: most[metric] }]
      : [],
  )
  const limited = seconds.filter((_, index) =>
    limits.some(({ values, limit }) => (values[index] ?? 0) > limit),
  )
  return limited.length * bucket_seconds
}
