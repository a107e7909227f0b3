import type { Scenario } from '@flamegate/loadtest'
import { lostAfterMs } from '../bench-runs/decide.ts'
import type { LoadGenerator } from '../ports/index.ts'
import type { Check } from './preflight-scenario.ts'

/** Whether each group of agents that the profiles name has one that could begin. */
export function generatorChecks(
  { profiles }: Scenario,
  generators: readonly LoadGenerator[],
  now: Date,
): Check[] {
  const groups = new Set(profiles.filter(({ enabled }) => enabled).map((profile) => profile.agent_group))
  return [...groups].flatMap((group) => {
    const index = profiles.findIndex((profile) => profile.enabled && profile.agent_group === group)
    const online = generators.filter(
      ({ agentGroup, lastSeenAt }) =>
        agentGroup === group && now.getTime() - lastSeenAt.getTime() <= lostAfterMs,
    )
    const free = online.filter(({ benchResultId }) => benchResultId === null)
    const check: Check = {
      check: 'generators',
      grade: 'ok',
      code: 'ok',
      message: `Group ${group}: ${online.length} online, ${free.length} free.`,
      advice: null,
      pointer: `/profiles/${index}/agent_group`,
    }
    const engines = new Set(
      profiles.flatMap(({ enabled, agent_group: own, engine }) =>
        enabled && own === group && engine.type !== 'flamegate' ? [engine.type] : [],
      ),
    )
    return [
      online.length === 0
        ? {
            ...check,
            grade: 'error' as const,
            code: 'no_generator',
            message: `No agent of the group ${group} is online.`,
            advice: `Start one: flamegate agent --group ${group}`,
          }
        : free.length === 0
          ? {
              ...check,
              grade: 'warning' as const,
              code: 'generators_busy',
              message: `All ${online.length} agents of the group ${group} are at work.`,
              advice: 'The run waits for one of them. Start another, or wait.',
            }
          : check,
      ...[...engines].map((engine) => ({
        ...check,
        grade: 'warning' as const,
        code: 'other_engine',
        message: `${engine} runs only on agents of your own that have it, and whose owner allows it.`,
        advice: `See that an agent of the group ${group} does.`,
      })),
    ]
  })
}
