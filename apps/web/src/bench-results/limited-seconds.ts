import { generatorLimits, isGeneratorLimit } from '@flamegate/loadtest/report'
import type { BenchSeries } from './trim-series.ts'

/** For how many seconds of what is drawn some generator was at its limit. */
export function limitedSeconds({ lines, seconds, bucket_seconds }: BenchSeries): number {
  const limits = lines.flatMap(({ metric, values }) =>
    isGeneratorLimit(metric) ? [{ values, limit: generatorLimits[metric] }] : [],
  )
  const limited = seconds.filter((_, index) =>
    limits.some(({ values, limit }) => (values[index] ?? 0) > limit),
  )
  return limited.length * bucket_seconds
}
