import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { loadGeneratorOnWire } from './on-wire.ts'

export const listLoadGenerators = implement(operations.listLoadGenerators)(async (input, context) => {
  const workspace = await getWorkspace(context, input.workspace_id)
  const generators = await context.deps.stores.loadGenerators.list(context.caller, workspace.id)
  return { workspace_id: workspace.id, load_generators: generators.map(loadGeneratorOnWire) }
})
