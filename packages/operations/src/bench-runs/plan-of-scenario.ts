import { Problem } from '@flamegate/contract'
import { neededVariables, parseDocument, serversOf, walkActions, type Scenario } from '@flamegate/loadtest'
import type { Reading } from '../implement.ts'
import type { BenchAction, BenchPlan } from '../ports/index.ts'
import { virtualUsersOf } from '../scenarios/reaching.ts'
import { attachedSlaProfiles } from '../sla/attached-sla-profiles.ts'

/** Ticks count them in 16 bits. */
const actionsMax = 65_535

/**
 * A scenario with all that it needs, as it is now.
 * @throws Problem `invalid_input` naming the profile of which the virtual user is missing
 */
export async function planOfScenario(
  context: Reading,
  projectId: string,
  scenario: Scenario,
): Promise<BenchPlan> {
  const { designs } = context.deps.stores
  const profiles = scenario.profiles.filter(({ enabled }) => enabled)
  const users = await virtualUsersOf(context, projectId, { profiles })
  const missing = profiles.find(({ virtual_user_id: id }) => id !== null && !users.has(id))
  if (missing !== undefined) {
    throw new Problem(
      'invalid_input',
      `The virtual user of the profile ${missing.name} is not there (any more).`,
      {
        errors: [
          {
            field: `profiles.${scenario.profiles.indexOf(missing)}.virtual_user_id`,
            message: `There is no virtual user ${missing.virtual_user_id} in this project.`,
          },
        ],
      },
    )
  }
  const actions = scenario.profiles.flatMap(({ enabled, virtual_user_id: id }, index) => {
    const user = enabled && id !== null ? users.get(id) : undefined
    return user === undefined ? [] : actionsOf(index, user.document)
  })
  if (actions.length > actionsMax)
    throw new Problem(
      'invalid_input',
      `All profiles together have ${actions.length} actions; ${actionsMax} is the most.`,
    )
  const documents = [...users.values()].map(({ document }) => document)
  const asked = new Set(documents.flatMap((document) => [...serversOf(document)]))
  const servers = await designs.listDocuments(context.caller, projectId, 'http_server')
  const needed = servers.filter(({ id }) => asked.has(id)).map(({ id, document }) => ({ id, document }))
  const variables = await designs.listDocuments(context.caller, projectId, 'variable')
  return {
    scenario,
    virtual_users: [...users].map(([id, { object }]) => ({
      id,
      version: object.version,
      document: object.document,
    })),
    servers: needed,
    variables: neededVariables(
      [...documents, ...needed.map(({ document }) => document), scenario],
      variables.map(({ document }) => parseDocument('variable', document)),
    ),
    sla_profiles: await attachedSlaProfiles(context, projectId, users),
    actions,
  }
}

/** All of them, in the order in which agents count them. */
function actionsOf(profile: number, document: Parameters<typeof walkActions>[0]): BenchAction[] {
  const containers: { depth: number; name: string }[] = []
  return Array.from(walkActions(document), ({ action, depth }) => {
    while ((containers.at(-1)?.depth ?? 0) >= depth) containers.pop()
    const path = containers.map(({ name }) => name)
    if (action.type === 'container') containers.push({ depth, name: action.name })
    return { profile, action_id: action.id, type: action.type, name: action.name, path }
  })
}
