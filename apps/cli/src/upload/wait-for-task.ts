import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@flamegate/client'
import { getTaskResult } from '@flamegate/contract/general/get-task-result'
import type { Progress } from './progress.ts'
import { Refusal } from '../refusal.ts'

/** The upload arrived, but could not be read. */
export class TaskFailed extends Refusal {
  override name = 'TaskFailed'
}

const longestMs = 30 * 60_000

/**
 * Asks for a task until it has ended, as often as the API says.
 *
 * @returns what came of it
 * @throws TaskFailed with the API's reason, or when half an hour was not enough
 */
export async function waitForTask(
  client: Client,
  taskId: string,
  progress: Progress,
  deadline = Date.now() + longestMs,
): Promise<Record<string, unknown>> {
  const answer = await client.call(getTaskResult, { task_id: taskId })
  const { task } = answer
  if (task.status === 'SUCCESS') return task.result ?? {}
  if (task.status === 'FAILED') throw new TaskFailed(reason(task.problem))
  if (task.status === 'CANCELLED') throw new TaskFailed('The upload was cancelled.')
  if (Date.now() > deadline) {
    throw new TaskFailed(
      `Task ${taskId} is still running. Ask later: flamegate call get_task_result --task-id ${taskId}`,
    )
  }
  progress.say(`${task.message} (${Math.round(task.progress_percent)} %)`)
  await pause((answer.next_poll_seconds ?? 1) * 1000)
  return waitForTask(client, taskId, progress, deadline)
}

function reason(problem: { code: string; detail: string } | null): string {
  return problem === null ? 'The upload could not be read.' : `${problem.detail} (${problem.code})`
}
