export { detectProfileFormat } from './detect-format.ts'
export { decodeProfile, encodeProfile } from './encoding.ts'
export { FormatError } from './format-error.ts'
export { PatternError } from './pattern.ts'
export type {
  CallTreeNodes,
  FunctionTable,
  LabelSummary,
  Profile,
  ProfileFormat,
  SampleType,
  ThreadSummary,
} from './profile.ts'
export { profileFormats, sampleTypeOf, selfValuesOf, subtreeEnds, totalValues } from './profile.ts'
export {
  explainDifference,
  type DifferenceExplanation,
  type FunctionDifference,
  type MeasuredProfile,
} from './questions/explain-difference.ts'
export { findFunction, FunctionNotFoundError } from './questions/find-function.ts'
export { renderFlameGraphSummary } from './questions/flame-graph-markdown.ts'
export {
  summarizeFlameGraph,
  type CallTreeEntry,
  type FlameGraphSummary,
  type FlameGraphSummaryOptions,
} from './questions/flame-graph-summary.ts'
export {
  flameGraphTree,
  toD3,
  type D3Node,
  type FlameGraphTree,
  type FlameGraphTreeOptions,
} from './questions/flame-graph-tree.ts'
export { formatPercent, formatValue } from './questions/format-value.ts'
export { functionOrigin } from './questions/function-origin.ts'
export { topFunctions, type FunctionRow, type TopFunctionsOptions } from './questions/top-functions.ts'
export { readProfile, type ReadProfileOptions } from './read-profile.ts'
