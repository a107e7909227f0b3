import type { DealtShare } from '@flamegate/loadtest-engine'
import type { Share, ShardPlan } from './load-plan.ts'

/** How many agents of a group began. As on the wire. */
interface GroupAtStart {
  agent_group: string
  agents: number
}

/**
 * The share of each variable of a plan that an agent has: its agents take turns in it, over all groups of which users take its values.
 * @param groupsOf The groups of each variable, in an order that all agents have
 * @param own The share of the agent in its own group at the start
 * @param atStart The agents that began; none of the groups that are left out
 */
export function dealtShares(
  { variables, agent_group: ownGroup }: Pick<ShardPlan, 'variables' | 'agent_group'>,
  groupsOf: ReadonlyMap<string, readonly string[]>,
  own: Share,
  atStart: readonly GroupAtStart[],
): DealtShare[] {
  const agentsOf = (group: string) =>
    group === ownGroup ? own.agents : (atStart.find(({ agent_group: name }) => name === group)?.agents ?? 0)
  const sum = (groups: readonly string[]) => groups.reduce((total, group) => total + agentsOf(group), 0)
  return variables.map(({ name }) => {
    const groups = groupsOf.get(String(name)) ?? []
    const place = groups.indexOf(ownGroup)
    // Nobody of this group asks for it.
    if (place === -1) return own
    return { index: sum(groups.slice(0, place)) + own.index, agents: sum(groups) }
  })
}
