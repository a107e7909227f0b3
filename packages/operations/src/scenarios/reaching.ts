import { operations, Problem } from '@flamegate/contract'
import { parseDocument, type Scenario, type VirtualUser } from '@flamegate/loadtest'
import type { CallContext, Reading } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** A scenario among those that the caller may read; also one that was deleted, when asked for. */
export async function getScenario(
  context: CallContext,
  id: string,
  options?: { evenDeleted: boolean },
): Promise<DesignObject> {
  const object = await context.deps.stores.designs.find(context.caller, id, options)
  if (object?.kind !== 'scenario') {
    throw new Problem('scenario_not_found', 'No such scenario in your workspaces.', {
      hint: [operations.listScenarios, 'shows the ones there are'],
    })
  }
  await reach(context, object.workspaceId, object.id)
  return object
}

/** Virtual users that profiles name, by id. */
export type ProfiledUsers = ReadonlyMap<string, ProfiledUser>
export interface ProfiledUser {
  object: DesignObject
  document: VirtualUser
}

/** Those of a project's virtual users that the profiles name, by id; what is not there is left out. */
export async function virtualUsersOf(
  { caller, deps }: Reading,
  projectId: string,
  { profiles }: Pick<Scenario, 'profiles'>,
): Promise<ProfiledUsers> {
  const users = new Map<string, ProfiledUser>()
  for (const id of new Set(profiles.map(({ virtual_user_id: userId }) => userId))) {
    if (id === null) continue
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for they may be large
    const object = await deps.stores.designs.find(caller, id)
    if (object?.kind !== 'virtual_user' || object.projectId !== projectId) continue
    users.set(id, { object, document: parseDocument('virtual_user', object.document) })
  }
  return users
}
