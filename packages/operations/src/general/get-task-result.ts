import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { hasEnded } from '../ports/index.ts'
import { reach } from '../targets.ts'
import { pageOfTask } from '../task-page.ts'
import { startImport } from '../uploads.ts'
import { isoOrNull } from '../wire.ts'

export const getTaskResult = implement(operations.getTaskResult)(async (input, context) => {
  const { caller, deps } = context
  const task = await deps.stores.tasks.find(caller, input.task_id)
  if (task === undefined) throw new Problem('task_not_found', 'No such task in your workspaces.')
  await reach(context, task.workspaceId, task.id)
  if (task.status === 'PENDING') await startImport(context, task)
  return {
    task: {
      id: task.id,
      kind: task.kind,
      status: task.status,
      progress_percent: task.progressPercent,
      message: task.message,
      result: task.result,
      problem: task.problem,
      created_at: task.createdAt.toISOString(),
      updated_at: task.updatedAt.toISOString(),
      finished_at: isoOrNull(task.finishedAt),
    },
    next_poll_seconds: hasEnded(task) ? null : 1,
    page: pageOfTask(task),
  }
})
