import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

export const exportWorkspace = implement(operations.exportWorkspace)(async (input, context) => {
  const { caller, deps, requestId } = context
  const { id: workspaceId } = await getWorkspace(context, input.workspace_id)
  const taskId = newId('task')
  await deps.stores.tasks.create(caller, {
    id: taskId,
    workspaceId,
    projectId: null,
    kind: 'export_workspace',
    message: 'Waiting for a worker',
    result: { workspace_id: workspaceId },
  })
  try {
    await deps.queue.add('export_workspace', { taskId, workspaceId, requestId })
  } catch (cause) {
    const detail = 'The queue of jobs could not be reached, so nothing is exported. Try it again later.'
    await deps.stores.tasks.finish(caller, taskId, { problem: { code: 'unavailable', detail } })
    throw new Problem('unavailable', detail, { cause })
  }
  return { workspace_id: workspaceId, task_id: taskId, next_poll_seconds: 2 }
})
