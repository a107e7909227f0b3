/** Bench reports: which numbers of which runs are shown, and how. Nothing here computes them. */
export {
  benchReport,
  type BenchReport,
  reportItem,
  type ReportItem,
  type ReportItemType,
  reportRunsMax,
  reportTemplate,
  type ReportTemplate,
  type TrendSelector,
} from './bench-report.ts'
export { type GeneratorLimit, generatorLimits, isGeneratorLimit } from './generator-limits.ts'
export { comparisonItems, newReport, standardItems, trendItems } from './standard-items.ts'
export {
  distributionOf,
  isWebVital,
  ratingOf,
  type VitalRating,
  vitalRatings,
  type WebVital,
  webVitalNames,
  webVitals,
} from './web-vitals.ts'
export {
  type RowMetric,
  rowMetricNames,
  rowMetrics,
  type SeriesMetric,
  seriesMetricNames,
  seriesMetrics,
} from './series-metrics.ts'
