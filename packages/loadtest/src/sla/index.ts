/** SLA profiles: ranges of metrics that a run is held against, second by second. */
export { bandText, evaluateSla, type MeasuredStep, type SlaVerdict } from './evaluate-sla.ts'
export {
  type SlaAttachment,
  type SlaBand,
  slaBand,
  slaProfile,
  type SlaProfile,
  type SlaSeverity,
} from './sla-profile.ts'
export { suggestedBands } from './suggested-bands.ts'
