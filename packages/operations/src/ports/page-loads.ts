import type { WebVital } from '@flamegate/loadtest'
import type { Caller } from '@flamegate/contract'
import type { BenchShard } from './bench-runs.ts'

/** What loading a page was like for a user with a browser. Times in milliseconds; null where it was not measured. */
export interface StoredPageLoad extends Record<WebVital, number | null> {
  /** In which it began, since the run did. */
  second: number
  /** Places among those of the run. */
  profile: number
  action: number
  /** Its path, without what differs from one thing to another. */
  page: string
}

/** Which page loads of a run. */
export interface PageLoadQuestion {
  from: number
  to: number
  profiles?: readonly number[] | undefined
  actions?: readonly number[] | undefined
}

/** Page loads of bench runs: few, and kept as they are. They go with the series of the run. */
export interface PageLoadStore {
  /** Keeps page loads, each sequence of an agent once, up to `pageLoadsMax` of a run. */
  add(
    caller: Caller,
    shard: Pick<BenchShard, 'workspaceId' | 'benchResultId' | 'slot'>,
    loads: readonly (StoredPageLoad & { sequence: number })[],
  ): Promise<void>
  list(caller: Caller, benchResultId: string, question: PageLoadQuestion): Promise<StoredPageLoad[]>
}

/** Of a run that are kept; some ten users with a browser load as many in an hour. */
export const pageLoadsMax = 20_000
