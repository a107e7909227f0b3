/** What the numbers of load tests mean: insights, comparison of runs, changes over many. Plain functions over plain data. */
export type { ComparedMetric } from './block-statistic.ts'
export { type Blocks, blocksOf } from './blocks.ts'
export { compareMetric, type MetricChange } from './compare-metric.ts'
export { findInsights } from './find-insights.ts'
export { type Evidence, type Insight, insightLevels } from './insight.ts'
export type { MeasuredAction, MeasuredRun } from './measured-run.ts'
export { trendChanges } from './trend.ts'
