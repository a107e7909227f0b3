import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import type { Task } from '../ports/index.ts'
import { reach } from '../targets.ts'
import { startImport } from '../uploads.ts'
import { isoOrNull } from '../wire.ts'

export const getTaskResult = implement(operations.getTaskResult)(async (input, context) => {
  const { caller, deps } = context
  const task = await deps.stores.tasks.find(caller, input.task_id)
  if (task === undefined) throw new Problem('task_not_found', 'No such task in your workspaces.')
  await reach(context, task.workspaceId, task.id)
  if (task.status === 'PENDING') await startImport(context, task)
  const ended = task.status === 'SUCCESS' || task.status === 'FAILED'
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
    next_poll_seconds: ended ? null : 1,
    page: pageOf(task),
  }
})

function pageOf(task: Task): string {
  const { run_id: runId, profile_id: profileId } = task.result ?? {}
  if (typeof profileId === 'string') return `/profiles/${profileId}`
  if (typeof runId === 'string') return `/runs/${runId}`
  return task.projectId === null ? '/' : `/projects/${task.projectId}`
}
