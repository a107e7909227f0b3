export { diagnose } from './diagnose.ts'
export type { DiagnoseOptions, Diagnosis } from './diagnose.ts'
export type { Sent, Send, SentRequest } from './exchange.ts'
export type { Finding, FindingStatus } from './finding.ts'
