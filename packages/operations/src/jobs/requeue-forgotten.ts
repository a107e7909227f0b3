import type { ForgottenTask, JobQueue } from '../ports/index.ts'

/** Queues the jobs of tasks anew that may be lost; where one is there still, nothing happens. */
export async function requeueForgotten(queue: JobQueue, tasks: readonly ForgottenTask[]): Promise<void> {
  for (const { workspaceId, id, job } of tasks) {
    // oxlint-disable-next-line no-await-in-loop -- a queue that is away fails the first one
    await queue.add(job, { taskId: id, workspaceId, requestId: `forgotten_${id}` })
  }
}
