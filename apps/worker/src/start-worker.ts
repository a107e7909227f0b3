import { giveUpTask, jobHandlers } from '@flamegate/operations'
import type { ObjectStorage, Stores } from '@flamegate/operations/ports'
import type { OpenQueue, Workers } from '@flamegate/queue'

/** Takes jobs off the queue until closed. */
export function startWorker(parts: {
  queue: OpenQueue
  stores: Stores
  storage: ObjectStorage
  concurrency: number
}): Workers {
  const { queue, stores, storage, concurrency } = parts
  const deps = { stores, storage }
  return queue.startWorkers(
    {
      import_results: (payload) => jobHandlers.import_results(payload, deps),
      import_profile: (payload) => jobHandlers.import_profile(payload, deps),
    },
    { concurrency, onGiveUp: (_name, payload) => giveUpTask(payload, deps) },
  )
}
