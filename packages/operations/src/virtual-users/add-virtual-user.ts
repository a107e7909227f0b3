import { newId } from '@flamegate/contract'
import type { VirtualUser } from '@flamegate/loadtest'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { summaryOf } from './summary.ts'

/** Stores a virtual user that was made by hand, or of another one. */
export async function addVirtualUser(
  context: CallContext,
  { workspaceId, projectId }: { workspaceId: string; projectId: string },
  document: VirtualUser,
  words: string,
): Promise<DesignObject> {
  const object = await context.deps.stores.designs.create(
    context.caller,
    { workspaceId, projectId },
    {
      id: newId('virtualUser'),
      kind: 'virtual_user',
      name: document.name,
      document,
      summary: summaryOf(document),
    },
    { words },
  )
  context.concerns(workspaceId, object.id)
  return object
}
