import type { HotFunction } from './hot-functions.ts'

/** Calls of one operation while data were collected. */
export interface CollectedOperation {
  /** `tools/call search`, `resources/read` … */
  name: string
  calls: number
  /** Those that failed, by message. */
  failures: { message: string; count: number }[]
  /** How many calls took how long, in milliseconds and to 1.6 %; shortest first. */
  durations: { ms: number; count: number }[]
}

/** What was measured of a program for a time: what the detector looks at. Times are milliseconds since it began. */
export interface PerformanceData {
  /** UTC, ISO 8601. */
  startedAt: string
  durationMs: number
  operations: CollectedOperation[]
  /** `cpuPercent`: 100 is one processor that is busy all the time. */
  resources: { atMs: number; cpuPercent: number; rssBytes: number }[]
  /** After all garbage was collected. */
  heap: { atMs: number; heapUsedBytes: number }[]
  /** Without those collections that the samples of the heap needed. */
  gc: { count: number; totalMs: number; maxMs: number }
  eventLoopDelay: { meanMs: number; p99Ms: number; maxMs: number }
  /** Largest self time first. */
  hotFunctions: HotFunction[]
  /** What functions allocated meanwhile and is still kept, largest first. */
  growth: { name: string; place: string; bytes: number }[]
  /** What could not be measured and why. */
  notes: string[]
}
