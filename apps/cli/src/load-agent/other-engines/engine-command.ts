import type { OtherEngine, UserProfile } from '@flamegate/loadtest'
import type { Share } from '../load-plan.ts'

/** Which profile an engine is to run. */
export interface EngineTask {
  profile: UserProfile
  engine: OtherEngine
  /** Place of the profile in the scenario. */
  place: number
}

/** The same with the part of its load that this agent makes. */
export interface SharedEngineTask extends EngineTask {
  share: Share
}

/** How an engine is started. */
export interface EngineCommand {
  args: readonly string[]
  /** Added to what it sees. */
  env: Readonly<Record<string, string>>
  /** Small files that it reads, beside its project files: contents by path. */
  files: Readonly<Record<string, string>>
  /** Where its results come. */
  results: 'stdout' | { file: string }
}
