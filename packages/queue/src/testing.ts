import type { QueueDesk } from '@flamegate/operations/ports'
import { openQueue, type OpenQueue, type QueueOptions } from './open-queue.ts'
import { startTestRedis, type TestServer } from './test-servers.ts'

/**
 * A fresh Redis for the jobs of one platform, when `FLAMEGATE_TEST_QUEUE` is `redis`. By default there is none, and jobs
 * wait in Postgres. It is never shared: the worker of one platform would take the jobs of another.
 */
export async function startChosenRedis(): Promise<TestServer | undefined> {
  const chosen = process.env['FLAMEGATE_TEST_QUEUE'] ?? 'postgres'
  if (chosen === 'redis') return startTestRedis()
  if (chosen === 'postgres') return undefined
  throw new Error(`FLAMEGATE_TEST_QUEUE is ${chosen}: it can be postgres or redis.`)
}

/** A queue that says nothing, in that Redis or in this Postgres. */
export async function openTestQueue(
  postgresUrl: string,
  options: Pick<QueueOptions, 'retryDelayMs'> = {},
): Promise<OpenQueue> {
  const redis = await startChosenRedis()
  const silent = { info: () => {}, warn: () => {}, error: () => {} }
  const queue = await openQueue({ ...options, redisUrl: redis?.url, postgresUrl, log: silent })
  return {
    ...queue,
    close: async () => {
      await queue.close()
      await redis?.stop()
    },
  }
}

/** For tests in which nobody looks after the queue. */
export const noQueueDesk: QueueDesk = {
  look: async () => [],
  listFailed: async () => [],
  findFailed: async () => undefined,
  retry: async () => false,
  removeFailed: async () => false,
}
