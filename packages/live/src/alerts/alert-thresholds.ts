/** What may be too much, too slow or too often wrong in a running program. */
export const alertTypes = ['high_cpu', 'high_memory', 'slow_response', 'high_error_rate'] as const
export type AlertType = (typeof alertTypes)[number]

/** How long calls take, as one number. */
export const responseStatistics = ['mean', 'p50', 'p90', 'p95', 'p99'] as const
export type ResponseStatistic = (typeof responseStatistics)[number]

/** What is too much of each type. As it is on the wire, and stored. */
export interface AlertLimits {
  /** Of one processor, of the process that uses most. */
  high_cpu: { percent: number }
  /** Of the process that has most: bytes, or percent of what it may have. */
  high_memory: { bytes?: number | undefined; percent?: number | undefined }
  /** Of any function or route, of all calls together, or of those that are named. */
  slow_response: {
    ms: number
    statistic: ResponseStatistic
    functions: 'any' | 'all' | string[]
  }
  /** Of all calls, those that failed. */
  high_error_rate: { percent: number }
}
