import { newId } from '@flamegate/contract'
import type { Scenario } from '@flamegate/loadtest'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { summaryOf } from './summary.ts'

export async function addScenario(
  context: CallContext,
  { workspaceId, projectId }: { workspaceId: string; projectId: string },
  document: Scenario,
  words: string,
): Promise<DesignObject> {
  const object = await context.deps.stores.designs.create(
    context.caller,
    { workspaceId, projectId },
    { id: newId('scenario'), kind: 'scenario', name: document.name, document, summary: summaryOf(document) },
    { words },
  )
  context.concerns(workspaceId, object.id)
  return object
}
