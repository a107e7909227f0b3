export { SeriesFormatError } from './bytes.ts'
export { mergeHistograms } from './histogram-sum.ts'
export {
  countOf,
  deviationOf,
  distributionBars,
  maxOf,
  meanOf,
  minOf,
  percentileCurve,
  percentileOf,
  percentilesOf,
  shareWithin,
} from './histogram-values.ts'
export type { DistributionBar, PercentilePoint } from './histogram-values.ts'
export { hourSeconds, levels, rolledSeconds, windowSeconds } from './levels.ts'
export type { Level, LevelSpan, Span } from './levels.ts'
export { answerOfSums, answerQuestion, sumUp } from './query/answer.ts'
export type { PartialSums, SeriesAnswer, SeriesData, SeriesGroup } from './query/answer.ts'
export { counterOf, gaugeOf, userCounterOf } from './query/buckets.ts'
export type { Buckets, GeneratorBucket, RequestBucket, UserBucket } from './query/buckets.ts'
export {
  apdexOf,
  chartPoints,
  errorsByClass,
  phaseMeans,
  phases,
  requestMetrics,
  shareOfTimesWithin,
  totalOf,
} from './query/metrics.ts'
export type { ChartPoint, Phase, RequestMetric, TimeKind } from './query/metrics.ts'
export { answerByParts } from './query/answer-by-parts.ts'
export { joinLive, liveSummingOf, sumLive } from './query/live-sums.ts'
export type { LiveSumming, LiveSums } from './query/live-sums.ts'
export { isByAction, isByProfile, planQuestion } from './query/question.ts'
export type { ChunkWindow, QuestionPlan, RolledUp, SeriesQuestion } from './query/question.ts'
export {
  allOfThem,
  eachOfThem,
  rollUp,
  rollUpHour,
  sealedActions,
  sealedMinutes,
  sealedTotals,
} from './seal.ts'
export type { ActionMinutes, LiveTick, RunPlan, SealedTick, SeriesChunk, SeriesKey } from './seal.ts'
export { microseconds, SecondRecord, type TimedRequest } from './second-record.ts'
export { highestOf, lowestOf, slotCount, slotOf, valueMax } from './slots.ts'
export { allAgents, buffersOf, receivedTable } from './table.ts'
export type { SeriesKind, SeriesTable } from './table.ts'
export { decodeTickBatch, encodeTickBatch, tickBatchLimits } from './tick-batch.ts'
export type { ReceivedTickBatch, TickBatch } from './tick-batch.ts'
export { decodeTick, encodeTick, tickAtSecond, totalsOfTick } from './tick-bytes.ts'
export { tickLimits } from './tick-limits.ts'
export { actionCounters, errorClasses, generatorGauges, profileCounters } from './tick.ts'
export type {
  ActionCounter,
  ActionTick,
  ErrorClass,
  GeneratorGauge,
  Histogram,
  ProfileCounter,
  Tick,
} from './tick.ts'
