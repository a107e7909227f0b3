import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { isImportJobName } from '../ports/index.ts'
import { pageOfTask } from '../task-page.ts'
import { reach } from '../targets.ts'
import { abandonUpload } from '../uploads.ts'

export const cancelTask = implement(operations.cancelTask)(async (input, context) => {
  const { caller, deps } = context
  const found = await deps.stores.tasks.find(caller, input.task_id)
  if (found === undefined) throw new Problem('task_not_found', 'No such task in your workspaces.')
  await reach(context, found.workspaceId, found.id)
  const task = (await deps.stores.tasks.requestCancel(caller, found.id)) ?? found
  if (task.status === 'CANCELLED') {
    await abandonUpload(deps.stores, caller, task)
    // Last: as long as the job is there, it makes up for what could not be done.
    if (isImportJobName(task.kind)) await deps.queue.remove(task.kind, task.id)
  }
  return { task: { id: task.id, status: task.status }, page: pageOfTask(task) }
})
