/** Every request of a load test, one row each: how agents pack them, and what files are made of them. */
export { type NamedRequest, type RequestRun, jtlHeading, jtlLine, nameRequest } from './jtl-lines.ts'
export { countRequestRows, type ReadRequestRow, readRequestLog, RequestLogError } from './read-request-log.ts'
export { RequestLogWriter } from './request-log-writer.ts'
export type { RequestRow } from './request-row.ts'
