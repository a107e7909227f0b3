export { liveItem, liveLimits, liveLog, liveProgram, livePush, liveSections } from './push.ts'
export type {
  LiveDistribution,
  LiveItem,
  LiveLog,
  LiveProgram,
  LivePush,
  LiveSection,
  ReceivedLivePush,
} from './push.ts'
export { sectionNames } from './sections.ts'
export type { SectionNames } from './sections.ts'
export { highestOf, lowestOf, slotOf } from './slots.ts'
export { createPushQueue } from './push-queue.ts'
export type { LivePart, PushOutcome, PushQueue, PushQueueOptions, PushQueueState } from './push-queue.ts'
export { addedTo } from './added-to.ts'
export type { ItemsBefore } from './added-to.ts'
export { labelledName } from './labelled-name.ts'
export { decodeMetrics, decodeTraces } from './otlp/messages.ts'
export { otlpReceived } from './otlp/received.ts'
export type { OtlpReceived, OtlpSignal } from './otlp/received.ts'
export { OtlpError } from './otlp/protobuf.ts'
export { readMetrics } from './otlp/read-metrics.ts'
export type { OtlpMetric, OtlpMetricPoint } from './otlp/read-metrics.ts'
export { ExpositionError, readExposition } from './prometheus/read-exposition.ts'
export type { ExpositionSample } from './prometheus/read-exposition.ts'
export { prometheusReadings } from './prometheus/prometheus-readings.ts'
export * from './questions/index.ts'
export { nextStreak } from './alerts/alert-episode.ts'
export type { AlertStreak } from './alerts/alert-episode.ts'
export { alertSections, readAlert } from './alerts/alert-reading.ts'
export type { AlertReading, ToldLately, Unjudged } from './alerts/alert-reading.ts'
export type { AlertLimits, AlertType } from './alerts/alert-thresholds.ts'
export { hotpathPaths, readHotpathAnswers } from './hotpath/read-answers.ts'
export type { HotpathAnswer, HotpathReading } from './hotpath/read-answers.ts'
export { createHotpathLogs } from './hotpath/read-logs.ts'
export type { HotpathClock } from './hotpath/read-logs.ts'
export { readHotpathReport } from './hotpath/read-report.ts'
