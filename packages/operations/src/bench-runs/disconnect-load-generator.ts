import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getLoadGenerator } from './reaching.ts'

export const disconnectLoadGenerator = implement(operations.disconnectLoadGenerator)(async (
  input,
  context,
) => {
  const { id, workspaceId } = await getLoadGenerator(context, input.load_generator_id)
  await context.deps.stores.loadGenerators.disconnect(context.caller, { id, workspaceId })
  return { workspace_id: workspaceId }
})
