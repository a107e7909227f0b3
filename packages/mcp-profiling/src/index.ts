export { chooseOperations } from './arguments/choose-operations.ts'
export type {
  ChoiceOptions,
  ChosenOperation,
  ListedTool,
  OperationChoice,
} from './arguments/choose-operations.ts'
export { generateArguments } from './arguments/generate-arguments.ts'
export type { GeneratedArguments } from './arguments/generate-arguments.ts'
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
export type { Diagnosis, Finding, FindingRule } from './diagnose/finding.ts'
export { capacityHtml, capacityMarkdown, capacityText } from './render/render-capacity.ts'
export { comparisonHtml, comparisonMarkdown, comparisonText } from './render/render-comparison.ts'
export { reportHtml, reportMarkdown, reportText } from './render/render-report.ts'
export { mcpErrorKinds, mcpReport } from './report.ts'
export type {
  McpErrorKind,
  McpFailure,
  McpInside,
  McpOperation,
  McpReport,
  McpResourceSample,
} from './report.ts'
