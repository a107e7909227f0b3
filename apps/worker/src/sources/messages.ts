import type { SourceRequest } from '@flamegate/operations/ports'
import type { ReadOutcome } from '@flamegate/operations/read-source'

/** What the thread is started with. */
export interface ThreadStart extends Pick<SourceRequest, 'format' | 'options'> {
  /** Where it writes the exchanges of a recording. */
  recordingFile: string
  /** Answer to whether a host is verified: 0 is none yet. The thread sleeps on it. */
  answer: SharedArrayBuffer
}

export const isVerifiedAnswer = { none: 0, yes: 1, no: 2 } as const

/** What the thread says. */
export type FromThread =
  | { want: 'chunk' }
  | { want: 'isVerified'; host: string }
  | { done: ReadOutcome; recording: { sizeBytes: number; md5: string } }

/** What it is told: the next piece of the content, or that it is over. */
export interface ToThread {
  chunk: Uint8Array | undefined
}
