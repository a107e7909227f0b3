import type { Caller } from '@flamegate/contract'
import type { Stores } from '../ports/index.ts'
import { limitsOf, type LimitFactor } from './workspace-limits.ts'

/**
 * Why agents cannot make load for so long; undefined when they can. What runs that are under way may still take counts, too.
 * @param plannedSeconds of all agents together
 */
export async function agentHourWords(
  {
    caller,
    deps,
  }: { caller: Caller; deps: { stores: Pick<Stores, 'plans' | 'usage'>; limits: LimitFactor } },
  workspaceId: string,
  plannedSeconds: number,
): Promise<string | undefined> {
  const { plan, agentHoursPerMonth } = await limitsOf(deps, workspaceId)
  if (agentHoursPerMonth === Infinity) return undefined
  const { usedSeconds, promisedSeconds } = await deps.stores.usage.countAgentSeconds(caller, workspaceId)
  if (usedSeconds + promisedSeconds + plannedSeconds <= agentHoursPerMonth * 3600) return undefined
  const underWay =
    promisedSeconds === 0 ? '' : `, runs that are under way may take ${inHours(promisedSeconds)}`
  return (
    `The plan ${plan.title} of this workspace has ${agentHoursPerMonth} hours of agents a month. ` +
    `Since the first ${inHours(usedSeconds)} were used${underWay}, and this run takes ${inHours(plannedSeconds)} at least.`
  )
}

/** What to do about it. */
export const agentHourAdvice = 'Make it shorter or with fewer agents, or wait for the next month (UTC).'

function inHours(seconds: number): string {
  return `${(seconds / 3600).toFixed(2).replace(/\.?0+$/, '')} h`
}
