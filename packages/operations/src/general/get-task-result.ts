import { operations, Problem } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import { lookUntil } from '../look-until.ts'
import { hasEnded, type Task } from '../ports/index.ts'
import { reach } from '../targets.ts'
import { pageOfTask } from '../task-page.ts'
import { startImport } from '../uploads.ts'
import { isoOrNull } from '../wire.ts'

/** How soon it is seen that a task has ended. */
const everyMs = 500

export const getTaskResult = implement(operations.getTaskResult)(async (input, context) => {
  const { caller, deps } = context
  const before = await deps.stores.tasks.find(caller, input.task_id)
  if (before === undefined) throw new Problem('task_not_found', 'No such task in your workspaces.')
  await reach(context, before.workspaceId, before.id)
  const task = await lookUntil(
    await begun(context, before),
    async () => begun(context, (await deps.stores.tasks.find(caller, before.id)) ?? before),
    hasEnded,
    { seconds: input.wait_seconds, everyMs },
  )
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

/** The same; the import of a file that has come is begun. */
async function begun(context: CallContext, task: Task): Promise<Task> {
  if (task.status === 'PENDING') await startImport(context, task)
  return task
}
