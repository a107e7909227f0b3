import { newId, operations, Problem } from '@flamegate/contract'
import { walkActions, type SlaProfile, type VirtualUser } from '@flamegate/loadtest'
import { dotted, given, parseDesign } from '../design/parse-design.ts'
import { writeDesign } from '../design/write-design.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { attachedUsers } from './attached-users.ts'
import { slaProfileOnWire } from './on-wire.ts'

/** They are read as a whole, also when a run begins. */
const profilesMax = 100

export const setSlaProfile = implement(operations.setSlaProfile)(async (input, context) => {
  const { caller, deps } = context
  const { project_id: projectId, if_version: ifVersion, name, ...fields } = input
  const project = await getProject(context, projectId)
  const before = await deps.stores.designs.findNamed(caller, project.id, 'sla_profile', name)
  // The name in the address is the input's, whatever is in the document.
  const document = parseDesign(
    context,
    'sla_profile',
    { ...before?.document, ...given(fields), name },
    dotted,
  )
  const users = await attachedUsers(context, project.id, document.attachments)
  checkAttachments(document, users)
  const summary = { band_count: document.bands.length, attachment_count: document.attachments.length }
  if (before !== undefined) {
    const words = `Set ${Object.keys(given(fields)).join(', ') || 'nothing'}`
    const written = await writeDesign(context, before, { document, summary }, { ifVersion, words })
    context.concerns(written.workspaceId, written.id)
    return { sla_profile: slaProfileOnWire(written, users) }
  }
  if (ifVersion !== undefined)
    throw new Problem('version_mismatch', `There is no SLA profile ${name} any more, so it has no version.`)
  if ((await deps.stores.designs.listNames(caller, project.id, 'sla_profile')).size >= profilesMax)
    throw new Problem('invalid_input', `A project has at most ${profilesMax} SLA profiles. Delete one first.`)
  const object = await deps.stores.designs.create(
    caller,
    { workspaceId: project.workspaceId, projectId: project.id },
    { id: newId('slaProfile'), kind: 'sla_profile', name, document, summary },
    { words: 'Created' },
  )
  context.concerns(object.workspaceId, object.id)
  return { sla_profile: slaProfileOnWire(object, users) }
})

/** @throws Problem that names the first attachment to what is not there */
function checkAttachments({ attachments }: SlaProfile, users: ReadonlyMap<string, VirtualUser>): void {
  for (const [index, { virtual_user_id: userId, action_id: actionId }] of attachments.entries()) {
    const user = users.get(userId)
    if (user === undefined) {
      throw new Problem('virtual_user_not_found', `There is no virtual user ${userId} in this project.`, {
        errors: [{ field: `attachments.${index}.virtual_user_id`, message: 'No such virtual user here.' }],
        hint: [operations.listVirtualUsers, 'shows the ones there are'],
      })
    }
    if (actionId === null || Array.from(walkActions(user)).some(({ action }) => action.id === actionId))
      continue
    throw new Problem('action_not_found', `${user.name} has no action ${actionId}.`, {
      errors: [{ field: `attachments.${index}.action_id`, message: 'No such action in this virtual user.' }],
      hint: [operations.getVirtualUser, 'shows its actions'],
    })
  }
}
