import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { getSsoSettings } from './sso-on-wire.ts'

export const deleteSso = implement(operations.deleteSso)(async (input, context) => {
  const { id } = await getWorkspace(context, input.workspace_id)
  await getSsoSettings(context, id)
  await context.deps.stores.sso.remove(context.caller, id)
  return { workspace_id: id, deleted: true as const }
})
