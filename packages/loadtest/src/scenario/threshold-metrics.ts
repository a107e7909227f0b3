/** In what a metric is told and compared: `ms`, `%`, per second, bytes, or a bare number. */
export type ThresholdUnit = 'ms' | '%' | '/s' | 'B' | ''

/**
 * What a threshold can be about, by its name in documents. A distribution needs a statistic; the others are one number.
 * Durations are counted from when something should have begun, service times from when it did.
 */
export const thresholdMetrics = {
  duration: { unit: 'ms', isDistribution: true, words: 'Response time' },
  service_time: { unit: 'ms', isDistribution: true, words: 'Service time' },
  lcp: { unit: 'ms', isDistribution: true, words: 'Largest Contentful Paint' },
  fcp: { unit: 'ms', isDistribution: true, words: 'First Contentful Paint' },
  inp: { unit: 'ms', isDistribution: true, words: 'Interaction to Next Paint' },
  ttfb: { unit: 'ms', isDistribution: true, words: 'Time to First Byte of pages' },
  cls: { unit: '', isDistribution: true, words: 'Cumulative Layout Shift' },
  count: { unit: '', isDistribution: false, words: 'Count' },
  rate: { unit: '/s', isDistribution: false, words: 'Rate' },
  error_count: { unit: '', isDistribution: false, words: 'Failed' },
  error_share: { unit: '%', isDistribution: false, words: 'Share that failed' },
  apdex: { unit: '', isDistribution: false, words: 'Apdex' },
  received_bytes: { unit: 'B', isDistribution: false, words: 'Bytes received' },
  sent_bytes: { unit: 'B', isDistribution: false, words: 'Bytes sent' },
} as const satisfies Record<string, { unit: ThresholdUnit; isDistribution: boolean; words: string }>

export type ThresholdMetric = keyof typeof thresholdMetrics

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the object above
export const thresholdMetricNames = Object.keys(thresholdMetrics) as [ThresholdMetric, ...ThresholdMetric[]]

export function unitOf(metric: ThresholdMetric): ThresholdUnit {
  return thresholdMetrics[metric].unit
}

/** Whether a metric is many values, of which a statistic makes one. */
export function needsStatistic(metric: ThresholdMetric): boolean {
  return thresholdMetrics[metric].isDistribution
}

const reportUnits = { ms: 'ms', '/s': 'per second', B: 'bytes' } as const

/** What was measured of a metric as the other numbers of a report are: percents are shares there, and scores no counts. */
export function asReported(metric: ThresholdMetric, value: number): { value: number; unit: string } {
  const unit = unitOf(metric)
  if (unit === '%') return { value: value / 100, unit: 'share' }
  if (unit !== '') return { value, unit: reportUnits[unit] }
  return { value, unit: metric === 'apdex' || metric === 'cls' ? 'score' : 'count' }
}
