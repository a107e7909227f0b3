import { giveUpTask, jobHandlers } from '@flamegate/operations'
import type { JobPayload, ObjectStorage, Stores } from '@flamegate/operations/ports'
import type { OpenQueue, Workers } from '@flamegate/queue'
import { withSpan } from '@flamegate/runtime'

const sweepEveryMs = 3_600_000

/** Takes jobs off the queue until closed. */
export function startWorker(parts: {
  queue: OpenQueue
  stores: Stores
  storage: ObjectStorage
  concurrency: number
  /** Removes what has expired; asked for every hour. */
  sweep: () => Promise<unknown>
  log: { error(fields: { err: unknown }, message: string): void }
}): Workers {
  const { queue, stores, storage, concurrency, sweep, log } = parts
  const deps = { stores, storage, queue }
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.error({ err: error }, 'expired rows were not removed'))
  }, sweepEveryMs)
  timer.unref()
  const workers = queue.startWorkers(
    {
      import_results: (payload) =>
        withSpan('import_results', attributes(payload), () => jobHandlers.import_results(payload, deps)),
      import_profile: (payload) =>
        withSpan('import_profile', attributes(payload), () => jobHandlers.import_profile(payload, deps)),
      watch_run: (payload) =>
        withSpan('watch_run', attributes(payload), () => jobHandlers.watch_run(payload, deps)),
    },
    { concurrency, onGiveUp: (_name, payload) => giveUpTask(payload, deps) },
  )
  return {
    close(options) {
      clearInterval(timer)
      return workers.close(options)
    },
  }
}

function attributes({ taskId, requestId }: JobPayload): Record<string, string> {
  return { 'flamegate.task_id': taskId, 'flamegate.request_id': requestId }
}
