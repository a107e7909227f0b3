import type { FailureSample, MeasuredPageLoad } from '@flamegate/loadtest-engine'
import type { Tick } from '@flamegate/series'
import type { Share, ShardPlan, ThreadPart } from './load-plan.ts'

/** What a thread begins with. */
export interface ThreadTask {
  shard: ShardPlan
  share: Share
  part: ThreadPart
  /** That the agent gives a browser to, at once. */
  browserUsersMax: number
}

/** `startAt`: milliseconds since 1970; `elapsedMs`: since the run began. */
export type ToThread =
  | { type: 'begin'; startAt: number; share: Share; dealt: Share }
  | { type: 'share'; share: Share; elapsedMs: number }
  | { type: 'stop' }

/** Profiles are counted as the scenario counts them. */
export type FromThread =
  | { type: 'ready' }
  | { type: 'tick'; tick: Tick }
  | { type: 'sample'; sample: FailureSample }
  | { type: 'page_load'; load: MeasuredPageLoad }
  | { type: 'requests'; frame: Uint8Array<ArrayBuffer>; rows: number }
  | { type: 'done'; words: readonly string[] }
