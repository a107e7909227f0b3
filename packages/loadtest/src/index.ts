export {
  type Action,
  action,
  type ActionOf,
  type Condition,
  condition,
  type Duration,
  duration,
} from './model/action.ts'
export { type Assertion, assertion } from './model/assertion.ts'
export { type CorrelationRule, correlationRule } from './model/correlation-rule.ts'
export { type Extractor, extractor } from './model/extractor.ts'
export { type HttpServer, httpServer } from './model/http-server.ts'
export { type Locator, locator, type PageStep, pageStep } from './model/page.ts'
export type { EmbeddedResource, RequestBody } from './model/request.ts'
export { type TemplatePart, templateParts } from './model/template-parts.ts'
export { type Field, filePath } from './model/template.ts'
export { type Variable, variable } from './model/variable.ts'
export { type VirtualUser, virtualUser } from './model/virtual-user.ts'
export { follow, pointerOf, valueAt } from './json/json-pointer.ts'
export { isSameJson } from './json/same-json.ts'
export { decodeUri } from './text/decode-uri.ts'
export { changedFields } from './outline/changed-fields.ts'
export { compareDocuments, type DocumentChange } from './outline/compare-documents.ts'
export { holdsOthers } from './outline/holds-others.ts'
export { outline } from './outline/outline.ts'
export { hasPages } from './outline/has-pages.ts'
export { walkActions } from './outline/walk-actions.ts'
export { applyPatch, parsePatch, PatchError } from './patch/apply-patch.ts'
export { DocumentError, type DocumentKind, type DocumentOf, parseDocument } from './patch/parse-document.ts'
export { schemaNames } from './schema/schema-names.ts'
export type { Archive } from './archive/archive.ts'
export { filesOf, neededVariables, serversOf, variableNamesOf } from './archive/references.ts'
export { renameServers } from './archive/rename-servers.ts'
export { writeArchive } from './archive/write-archive.ts'
export type { Exchange, ExchangeBody, ExchangeHeader, ExchangeTimings } from './recording/exchange.ts'
export { hideSecrets } from './recording/hide-secrets.ts'
export { parseExchange } from './recording/parse-exchange.ts'
export { readExchange, readRecording } from './recording/read-recording.ts'
export { redactExchange } from './recording/redact-exchange.ts'
export { type RecordedExchange, type RecordingIndex, RecordingWriter } from './recording/recording-writer.ts'
export {
  defaultImportOptions,
  type Identified,
  type ImportContext,
  type Imported,
  type ImportedFile,
  type ImportOptions,
  SourceError,
} from './import/importer.ts'
export { importHar } from './import/har/import-har.ts'
export { importers } from './import/importers.ts'
export { hasStoredEnding } from './import/file-paths.ts'
export { countOutcomes, type ImportReport } from './import/report.ts'
export type { Exported } from './export/exported.ts'
export { exportHar } from './export/har/export-har.ts'
export { exportJmx } from './export/jmx/export-jmx.ts'
export { exportK6 } from './export/k6/export-k6.ts'
export { applyRules } from './correlate/apply-rules.ts'
export { type AppliedCorrelation, applySuggestions, type Correlated } from './correlate/apply-suggestions.ts'
export { correlationFrameworks } from './correlate/frameworks.ts'
export { type FailedCandidate, type LikelyCause, likelyCauses } from './correlate/likely-causes.ts'
export type { RecordedExchanges } from './correlate/recorded-exchanges.ts'
export { ruleFault } from './correlate/rule-fault.ts'
export {
  type CorrelationSuggestion,
  type Replay,
  suggestCorrelations,
  type Suggestions,
} from './correlate/suggest-correlations.ts'
export { type SanityContext, sanityCheck } from './sanity/sanity-check.ts'
export type { ActionResult, ReplayedExchange, StartedAction, UserOutcome } from './replay/action-result.ts'
export { redacted, Redactor } from './text/redactor.ts'
export { diffLines } from './judge/diff-lines.ts'
export { groupByCause } from './judge/group-by-cause.ts'
export { judgeReplay, type JudgedAnswer } from './judge/judge-replay.ts'
export { recordedAnswer, replayedAnswer } from './judge/judged-answer.ts'
export { prettyPrint } from './judge/pretty-print.ts'
export * from './monitor/index.ts'
export * from './report/index.ts'
export * from './scenario/index.ts'
export { nextFirings, type Schedule, schedule } from './schedule/schedule.ts'
export * from './sla/index.ts'
