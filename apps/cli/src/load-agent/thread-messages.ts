import type { DealtShare, FailureSample, KeptPageTrace, MeasuredPageLoad } from '@flamegate/loadtest-engine'
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
  | { type: 'begin'; startAt: number; share: Share; dealt: readonly DealtShare[] }
  | { type: 'share'; share: Share; elapsedMs: number }
  | { type: 'stop' }

/** How the users of a profile ended: the variable of which all ran out of rows, or null. */
export interface EndedProfile {
  profile: number
  outOfRows: string | null
}

/** Profiles are counted as the scenario counts them. */
export type FromThread =
  | { type: 'ready' }
  | { type: 'tick'; tick: Tick }
  | { type: 'sample'; sample: FailureSample }
  | { type: 'page_load'; load: MeasuredPageLoad }
  | { type: 'page_trace'; trace: KeptPageTrace }
  | { type: 'requests'; frame: Uint8Array<ArrayBuffer>; rows: number }
  | { type: 'done'; words: readonly string[]; profiles: readonly EndedProfile[] }
