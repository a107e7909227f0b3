import type { RateLimiter } from '@flamegate/operations/ports'
import type { QueueLog } from '../queue-log.ts'
import { memoryRateLimiter } from './memory-rate-limiter.ts'
import { redisRateLimiter } from './redis-rate-limiter.ts'

/** What counts calls, as the settings say it. */
export interface Limits {
  /** Undefined when the limits are off. */
  ofCalls: { limiter: RateLimiter; factor: number } | undefined
  close(): Promise<void>
}

/** Counts calls in Redis when there is one, so that all nodes count together; else in this process. */
export function openLimits(
  settings: { REDIS_URL?: string | undefined; FLAMEGATE_RATE_LIMITS: 'off' | number },
  log: QueueLog,
): Limits {
  const { REDIS_URL: redisUrl, FLAMEGATE_RATE_LIMITS: factor } = settings
  if (factor === 'off') return { ofCalls: undefined, close: async () => undefined }
  if (redisUrl === undefined) {
    return { ofCalls: { limiter: memoryRateLimiter(), factor }, close: async () => undefined }
  }
  const limiter = redisRateLimiter({ redisUrl, log })
  return { ofCalls: { limiter, factor }, close: () => limiter.close() }
}
