import type { LoggedRun, RequestLogFormat } from '@flamegate/operations/ports'

/** What the thread begins with. */
export interface RequestLogTask {
  format: RequestLogFormat
  path: string
  run: LoggedRun
}

/** Each is answered: what is added by nothing, and the end by what the file is. */
export type ToRequestLog = { type: 'add'; piece: Uint8Array; slot: number } | { type: 'end' }

export interface WholeFile {
  sizeBytes: number
  md5: string
  sha256: string
}
