import type { DueSchedule, JobQueue } from '../ports/index.ts'

/** Queues a job for each schedule that is due; where one is there already, nothing happens. */
export async function queueDueSchedules(queue: JobQueue, schedules: readonly DueSchedule[]): Promise<void> {
  for (const { workspaceId, id } of schedules) {
    // oxlint-disable-next-line no-await-in-loop -- a queue that is away fails the first one
    await queue.add('start_scheduled_run', {
      taskId: id,
      scheduleId: id,
      workspaceId,
      requestId: `schedule_${id}`,
    })
  }
}
