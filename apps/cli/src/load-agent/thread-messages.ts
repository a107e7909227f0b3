import type { FailureSample } from '@flamegate/loadtest-engine'
import type { Tick } from '@flamegate/series'
import type { Share, ShardPlan, ThreadPart } from './load-plan.ts'

/** What a thread begins with. */
export interface ThreadTask {
  shard: ShardPlan
  share: Share
  part: ThreadPart
}

/** `startAt`: milliseconds since 1970; `elapsedMs`: since the run began. */
export type ToThread =
  | { type: 'begin'; startAt: number; share: Share }
  | { type: 'share'; share: Share; elapsedMs: number }
  | { type: 'stop' }

/** Profiles are counted as the scenario counts them. */
export type FromThread =
  | { type: 'ready' }
  | { type: 'tick'; tick: Tick }
  | { type: 'sample'; sample: FailureSample }
  | { type: 'done'; words: readonly string[] }
