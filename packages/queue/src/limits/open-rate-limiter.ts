import type { RateLimiter } from '@flamegate/operations/ports'
import type { QueueLog } from '../queue-log.ts'
import { memoryRateLimiter } from './memory-rate-limiter.ts'
import { redisRateLimiter } from './redis-rate-limiter.ts'

/** Counts calls in Redis when there is one, so that all nodes count together; else in this process. */
export function openRateLimiter(options: { redisUrl?: string | undefined; log: QueueLog }): RateLimiter & {
  close(): Promise<void>
} {
  const { redisUrl, log } = options
  if (redisUrl !== undefined) return redisRateLimiter({ redisUrl, log })
  return { ...memoryRateLimiter(), close: async () => undefined }
}
