export {
  questionParts,
  type PartOfProfile,
  type Question,
  type QuestionAnswer,
  type QuestionName,
  type QuestionParams,
} from './analysis/index.ts'
export { decodeDetail, encodeDetail } from './detail-encoding.ts'
export { decodeProfile, encodeProfile } from './encoding.ts'
export { ExportTooLarge } from './exports/export-too-large.ts'
export { exportDifference } from './exports/difference-export.ts'
export { flameColumns } from './exports/flame-columns.ts'
export { pictureWidthPx, type PaintPng, type Picture } from './exports/flame-picture.ts'
export type { PictureFormat } from './exports/picture-formats.ts'
export {
  exportFormats,
  exportProfile,
  type ExportedFile,
  type ExportFormat,
} from './exports/profile-export.ts'
export { FormatError } from './format-error.ts'
export { splitByService } from './formats/otlp-services.ts'
export { readStacks } from './formats/pyroscope.ts'
export { decodeHeapGraph, encodeHeapGraph } from './heap/heap-graph-encoding.ts'
export type { HeapGraph } from './heap/heap-graph.ts'
export { PatternError } from './pattern.ts'
export type { LabelledValues, LabelSet, LineValues, ProfileDetail, Timeline } from './profile-detail.ts'
export type {
  CallTreeNodes,
  FunctionTable,
  ImportedProfile,
  LabelSummary,
  OriginRule,
  Profile,
  ProfileFormat,
  SampleType,
  ThreadSummary,
} from './profile.ts'
export {
  profileFormats,
  sampleTypeOf,
  selfValuesOf,
  subtreeEnds,
  totalValues,
  withOriginRules,
} from './profile.ts'
export type { CallTreeEntry } from './questions/call-tree-entries.ts'
export { filterDetail } from './questions/filter-detail.ts'
export { CannotFilterError, filterProfile, type SampleFilter } from './questions/filter-profile.ts'
export { findFunction, FunctionNotFoundError } from './questions/find-function.ts'
export { renderFlameGraphSummary } from './questions/flame-graph-markdown.ts'
export {
  summarizeFlameGraph,
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
export { formatPercent, formatValue, percentOf } from './questions/format-value.ts'
export { functionOrigin } from './questions/function-origin.ts'
export { repositoryPath } from './questions/repository-path.ts'
export {
  functionGroupings,
  groupByFunctions,
  groupByLabel,
  NoSuchLabelError,
  type GroupRow,
  type Groups,
} from './questions/group-by.ts'
export {
  compareHeapClasses,
  heapClasses,
  type HeapClass,
  type HeapClassChange,
} from './questions/heap-classes.ts'
export {
  largestOfClass,
  nodeOfId,
  retainingPaths,
  type HeapObject,
  type RetainedObject,
  type RetainerStep,
  type RetainingPath,
} from './questions/heap-retainers.ts'
export { hotPaths, type HotPathRow } from './questions/hot-paths.ts'
export { listLabels, listThreads } from './questions/list-labels.ts'
export { sandwich } from './questions/sandwich.ts'
export { searchFunctions } from './questions/search-functions.ts'
export { FileNotFoundError, sourceLines, type SourceLine } from './questions/source-lines.ts'
export { profileTimeline } from './questions/timeline.ts'
export { topFunctions, type FunctionRow, type TopFunctionsOptions } from './questions/top-functions.ts'
export { readProfileInPieces } from './read-profile-in-pieces.ts'
export { detectProfileFormat, readProfile, type ReadProfileOptions } from './read-profile.ts'
export { CannotCompareError } from './several/cannot-compare-error.ts'
export {
  compareProfiles,
  type CallDifference,
  type ChangeState,
  type CompareProfilesOptions,
  type Difference,
  type FunctionDifference,
  type ProfileComparison,
} from './several/compare-profiles.ts'
export {
  differentialFlameGraph,
  toDifferentialD3,
  type DifferentialD3Node,
  type DifferentialFlameGraph,
} from './several/differential-flame-graph.ts'
export { heapGrowth, type GrowthKind, type HeapGrowth, type SiteGrowth } from './several/heap-growth.ts'
export {
  heapSeries,
  type Certainty,
  type HeapSeries,
  type HeapTrend,
  type SeriesKind,
  type SiteTrend,
} from './several/heap-series.ts'
export type { HeapSite } from './several/heap-sites.ts'
export { CannotMergeError, mergeProfiles } from './several/merge-profiles.ts'
export type { Normalization } from './several/normalization.ts'
export { demangleProfile } from './symbols/demangle-profile.ts'
