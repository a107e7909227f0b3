export { chooseOperations } from './arguments/choose-operations.ts'
export type {
  ChoiceOptions,
  ChosenOperation,
  ListedTool,
  OperationChoice,
} from './arguments/choose-operations.ts'
export { generateArguments } from './arguments/generate-arguments.ts'
export type { GeneratedArguments } from './arguments/generate-arguments.ts'
export { sizedArguments } from './arguments/sized-arguments.ts'
export { capacitySearch } from './capacity/capacity-search.ts'
export type {
  CapacityBreak,
  CapacityMeasurement,
  CapacityOptions,
  CapacityResult,
  CapacityTrial,
} from './capacity/capacity-search.ts'
export { sweepKnee } from './capacity/sweep-knee.ts'
export type { SweepKnee } from './capacity/sweep-knee.ts'
export { blocksNeeded, compareReports } from './compare/compare-reports.ts'
export type { CompareReportsOptions } from './compare/compare-reports.ts'
export { judgeTurns, turnsLooks } from './compare/judge-turns.ts'
export type { TurnsJudgement } from './compare/judge-turns.ts'
export type {
  ComparedMetric,
  ComparedSide,
  McpComparison,
  MetricComparison,
  MetricVerdict,
  OperationComparison,
} from './compare/comparison.ts'
export {
  configurationJsonSchema,
  isDebugging,
  mcpProfilerConfiguration,
  readConfiguration,
} from './configuration.ts'
export type { McpProfilerConfiguration, ReadConfiguration } from './configuration.ts'
export { diagnoseReport } from './diagnose/diagnose-report.ts'
export type { DiagnosisKind } from './diagnose/kinds.ts'
export { memoryGrowth, type MemoryGrowth } from './diagnose/memory-growth.ts'
export { starvedOf } from './diagnose/starved.ts'
export type { Diagnosis, Finding, FindingRule } from './diagnose/finding.ts'
export { capacityHtml, capacityMarkdown, capacityText } from './render/render-capacity.ts'
export { comparisonHtml, comparisonMarkdown, comparisonText } from './render/render-comparison.ts'
export { diagnosisTables } from './render/diagnosis-tables.ts'
export { reportHtml, reportMarkdown, reportText } from './render/render-report.ts'
export { tuningHtml, tuningMarkdown, tuningText } from './render/render-tuning.ts'
export { escapeHtml, tableHtml, type Table } from './render/table.ts'
export { operationTitle } from './operation-key.ts'
export { mcpErrorKinds, mcpReport } from './report.ts'
export type {
  McpErrorKind,
  McpFailure,
  McpInside,
  McpOperation,
  McpReport,
  McpResourceSample,
  McpTracedCall,
} from './report.ts'
export { safeSettings, settingsEnv, settingTitle } from './tune/safe-settings.ts'
export type { TunedRuntime, TunedSetting } from './tune/safe-settings.ts'
export { readServerSettings } from './tune/server-settings.ts'
export type { ServerSettings } from './tune/server-settings.ts'
export { isConfirmed, judgeTries, keptSettings, slowestP95Ms } from './tune/tuning.ts'
export type { McpTuning, TuningTry } from './tune/tuning.ts'
