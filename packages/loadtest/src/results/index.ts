/** Results of load tests that other tools made: their files, read as they come. */
export { SourceError } from '../import/importer.ts'
export { readResults } from './read-results.ts'
export { type ResultFormat, resultFormats } from './recognise-results.ts'
export type { FailureClass } from './failure-class.ts'
export type { ResultBand, ResultFailure, ResultSample, ResultSink } from './result-sink.ts'
export { withoutSecrets } from './without-secrets.ts'
