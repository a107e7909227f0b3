import type { OtherEngine, OtherEngineName, Scenario } from '@flamegate/loadtest'
import type { LoadGenerator } from '../ports/index.ts'

/** Engines that others made, as the profiles of an agent group ask for them. */
export function otherEnginesOf({ profiles }: Pick<Scenario, 'profiles'>, agentGroup: string): OtherEngine[] {
  return profiles.flatMap(({ enabled, agent_group: group, engine }) =>
    enabled && group === agentGroup && engine.type !== 'flamegate' ? [engine] : [],
  )
}

/** Whether an agent has all of these engines, and its owner lets scripts run there. */
export function mayRun(
  { engines }: Pick<LoadGenerator, 'engines'>,
  wanted: readonly OtherEngineName[],
): boolean {
  return wanted.every((engine) =>
    engines.some(({ type, is_allowed: isAllowed }) => type === engine && isAllowed),
  )
}
