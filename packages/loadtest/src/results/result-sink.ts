import type { FailureClass } from './failure-class.ts'

/** One request, or one transaction that holds others, as another tool timed it. Times in milliseconds; 0 where it does not tell. */
export interface ResultSample {
  type: 'http_request' | 'container'
  /** Names of the transactions or groups that it is in, from the outermost. */
  path: readonly string[]
  name: string
  /** Since 1970. */
  endMs: number
  elapsedMs: number
  /** Of its elapsed time, or beside it: as the tool counts. */
  dnsMs: number
  connectMs: number
  tlsMs: number
  waitMs: number
  downloadMs: number
  sentBytes: number
  receivedBytes: number
  /** Of HTTP; 0: none, or none that is known. */
  status: number
  failure: ResultFailure | null
  /** What was asked for; left out where it is not told, as are the user and its iteration. */
  url?: string
  /** In the words of the tool. */
  user?: string
  /** From 0. */
  iteration?: number
}

/** What many tools tell nothing of. */
export const untold = {
  dnsMs: 0,
  connectMs: 0,
  tlsMs: 0,
  waitMs: 0,
  downloadMs: 0,
  sentBytes: 0,
  receivedBytes: 0,
  status: 0,
  failure: null,
} satisfies Partial<ResultSample>

export interface ResultFailure {
  class: FailureClass
  /** In the words of the tool. */
  message: string
  method: string
  /** Empty where it is not told. */
  url: string
}

/** What is known of many requests of one action together. */
export interface ResultBand {
  name: string
  endMs: number
  count: number
  failed: number
  /** Rising percents with the time below which as many are. None: their times are not known. */
  percentiles: readonly { percent: number; ms: number }[]
}

/** Where readers put what they read. They hold none of it. */
export interface ResultSink {
  sample: (sample: ResultSample) => void
  band: (band: ResultBand) => void
  /** Users at a moment; those of several sources (machines) count together. */
  users: (source: string, atMs: number, users: number) => void
  iterations: (endMs: number, count: number) => void
  /** Tells of a part that could not be read. @throws SourceError when these are too many */
  skip: (place: string, why: string) => void
  /** Tells something that whoever looks at the numbers has to know; each note once. */
  note: (words: string) => void
}

/** Reads results as they come. Rejects with a SourceError when there are none in it. */
export type ResultReader = (content: AsyncIterable<Uint8Array>, sink: ResultSink) => Promise<void>
