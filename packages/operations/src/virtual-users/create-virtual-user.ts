import { operations } from '@flamegate/contract'
import { parseDesign } from '../design/parse-design.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { addVirtualUser } from './add-virtual-user.ts'
import { virtualUserOnWire } from './on-wire.ts'

export const createVirtualUser = implement(operations.createVirtualUser)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const document = parseDesign(context, 'virtual_user', { actions: [], ...input.document, name: input.name })
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  const object = await addVirtualUser(context, place, document, 'Created')
  return { virtual_user: virtualUserOnWire(object) }
})
