import {
  browserUsersOf,
  engineTitle,
  type OtherEngineName,
  type Scenario,
  type ScenarioSurroundings,
} from '@flamegate/loadtest'
import { lostAfterMs } from '../bench-runs/decide.ts'
import { browserUsersMaxOf } from '../bench-runs/on-wire.ts'
import { mayRun, otherEnginesOf } from '../bench-runs/other-engines-of.ts'
import type { LoadGenerator } from '../ports/index.ts'
import type { Check } from './preflight-scenario.ts'

/** Whether each group of agents that the profiles name has one that could begin. */
export function generatorChecks(
  { profiles }: Scenario,
  known: ScenarioSurroundings,
  generators: readonly LoadGenerator[],
  now: Date,
): Check[] {
  const groups = new Set(profiles.filter(({ enabled }) => enabled).map((profile) => profile.agent_group))
  return [...groups].flatMap((group) => {
    const index = profiles.findIndex((profile) => profile.enabled && profile.agent_group === group)
    const online = generators.filter(
      ({ agentGroup, lastSeenAt, hasLeft }) =>
        agentGroup === group && !hasLeft && now.getTime() - lastSeenAt.getTime() <= lostAfterMs,
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
    const engines = new Set(otherEnginesOf({ profiles }, group).map(({ type }) => type))
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
      ...[...engines].map((engine) => engineCheck(engine, group, online, check)),
      ...browserChecks(
        browserUsersOf({ profiles: profiles.filter((profile) => profile.agent_group === group) }, known),
        group,
        online,
        check,
      ),
    ]
  })
}

/** Whether they have browsers for so many users, of which each agent gets its share. */
function browserChecks(
  users: number,
  group: string,
  online: readonly LoadGenerator[],
  check: Check,
): Check[] {
  if (users === 0 || online.length === 0) return []
  const share = Math.ceil(users / online.length)
  const [least] = online.toSorted((one, other) => browserUsersMaxOf(one) - browserUsersMaxOf(other))
  const most = least === undefined ? 0 : browserUsersMaxOf(least)
  if (most >= share) return []
  return [
    {
      ...check,
      grade: 'error',
      code: 'no_browser',
      message:
        most === 0
          ? `${least?.name} in the group ${group} has no browser, and pages are to be loaded there.`
          : `${least?.name} in the group ${group} gives a browser to ${most} users at most, and would get ${share}.`,
      advice:
        most === 0
          ? 'Let users with pages run in a group of agents that have one, or set CHROMIUM_PATH where the agent runs.'
          : 'Start more agents, or let fewer users have pages.',
    },
  ]
}

/** Whether one of them may run scripts of another engine, and what is to be done where none may. */
function engineCheck(
  engine: OtherEngineName,
  group: string,
  online: readonly LoadGenerator[],
  check: Check,
): Check {
  const title = engineTitle(engine)
  const allowed = online.filter((generator) => mayRun(generator, [engine]))
  if (allowed.length > 0)
    return {
      ...check,
      code: 'other_engine',
      message: `${title} runs on ${allowed.length} of ${online.length} agents of the group ${group}. Its script is code that runs there, and sends where it wants: target rules do not hold for it.`,
    }
  const found = online.find(({ engines }) => engines.some(({ type }) => type === engine))
  return {
    ...check,
    grade: 'error',
    code: 'no_engine',
    message:
      found === undefined
        ? `No agent of the group ${group} that is online has ${title}.`
        : `${found.name} has ${title}, and its owner has not allowed scripts of it.`,
    advice: `Start an agent on a machine that has ${title}, with --allow-engine ${engine}: scripts can do there whatever that user can.`,
  }
}
