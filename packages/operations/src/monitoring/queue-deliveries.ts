import type { JobQueue } from '../ports/index.ts'

/** Lets workers send what is due. What is queued already, or at work, is not queued twice. */
export async function queueDeliveries(
  queue: JobQueue,
  due: readonly { workspaceId: string; id: string }[],
): Promise<void> {
  for (const { workspaceId, id } of due) {
    // oxlint-disable-next-line no-await-in-loop -- a queue that is away fails the first one
    await queue.add('deliver', { taskId: id, workspaceId, requestId: `outbox_${id}` })
  }
}
