import type { Caller } from '@flamegate/contract'
import type { ResultFormat } from '@flamegate/loadtest/results'
import type { BenchAction, BenchPlan, BenchResult, BenchSample } from './bench-runs.ts'

/** What results of another tool came to. */
export interface MeasuredResults {
  /** Since 1970, a whole second. */
  startedAtMs: number
  /** Whole seconds, the last one with what ended last. */
  durationMs: number
  actions: BenchAction[]
  samples: Omit<BenchSample, 'id'>[]
  /** How many requests, transactions apart. */
  requestCount: number
  /** The most at once; 0: it is not told. */
  usersMax: number
  /** What whoever looks at the numbers has to know. */
  notes: string[]
}

export type ReadResultsOutcome =
  | { format: ResultFormat; results: MeasuredResults }
  | {
      /** What is wrong, where, and what to do. */
      refused: string
    }

export interface ResultReading {
  outcome: ReadResultsOutcome
  /** The seconds of the run, as frames. */
  openTicks: () => AsyncIterable<Uint8Array>
  /** Lets go of what is kept of them. */
  release: () => Promise<void>
}

/** Reads results of other tools, which anybody may have written, aside from everything else, with limits of memory and time. */
export interface ResultReader {
  read: (content: AsyncIterable<Uint8Array>) => Promise<ResultReading>
}

/** Seconds of a run that are stored together; they rise. */
export interface ImportedTicks {
  sequence: number
  ticks: { second: number; bytes: Uint8Array }[]
}

/** A run that was measured elsewhere, with all that is known of it but its report. */
export interface ImportedRun {
  run: Pick<
    BenchResult,
    | 'id'
    | 'workspaceId'
    | 'projectId'
    | 'name'
    | 'message'
    | 'durationMs'
    | 'usersMax'
    | 'events'
    | 'taskId'
    | 'benchReportId'
    | 'tags'
    | 'createdBy'
  > & { importedFrom: string; startedAt: Date; endedAt: Date; plan: BenchPlan }
  /** In place of an agent: what its seconds and samples are of. */
  shard: { id: string; agentGroup: string; message: string }
  /** Places of actions that hold others. */
  containers: readonly number[]
  ticks: AsyncIterable<ImportedTicks>
  samples: readonly BenchSample[]
}

export interface BenchImportStore {
  /** Stores all of it in one transaction, or nothing; what was stored already stays as it is, because a job may come twice. */
  complete(caller: Caller, imported: ImportedRun): Promise<void>
}
