import { operations } from '@flamegate/contract'
import { compareScenarios, type ScenarioChange } from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { changeOnWire } from './on-wire.ts'
import { getScenario, scenarioVersion } from './reaching.ts'

const changesTold = 200

export const listScenarioVersions = implement(operations.listScenarioVersions)(async (input, context) => {
  const { caller, deps } = context
  const object = await getScenario(context, input.scenario_id)
  const found = await deps.stores.designs.listVersions(caller, object.id, {
    limit: input.limit,
    before: input.before_version,
  })
  const versions = found.slice(0, input.limit)
  const changes = input.compare === undefined ? undefined : await compared(context, object, input.compare)
  return {
    scenario_id: object.id,
    versions: versions.map((each) => ({
      version: each.version,
      label: each.label,
      change: each.change,
      author_email: each.authorEmail,
      author_client: each.authorClient,
      created_at: each.createdAt.toISOString(),
    })),
    next_before: found.length > input.limit ? (versions.at(-1)?.version ?? null) : null,
    changes: changes?.slice(0, changesTold).map(changeOnWire) ?? null,
    change_count: changes?.length ?? null,
  }
})

/** How two versions differ, which are written as `2..5`. */
async function compared(
  context: CallContext,
  object: DesignObject,
  versions: string,
): Promise<ScenarioChange[]> {
  const [earlier = NaN, later = NaN] = versions.split('..').map(Number)
  const [before, after] = await Promise.all([
    scenarioVersion(context, object, earlier),
    scenarioVersion(context, object, later),
  ])
  return compareScenarios(before, after)
}
