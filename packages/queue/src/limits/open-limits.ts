import type { LimitName } from '@flamegate/contract'
import type { Claim, RateLimiter, Verdict } from '@flamegate/operations/ports'
import type { QueueLog } from '../queue-log.ts'
import { memoryRateLimiter } from './memory-rate-limiter.ts'
import { redisRateLimiter } from './redis-rate-limiter.ts'
import { tellingOnce } from './told-to-wait.ts'

/** What counts calls, as the settings say it. */
export interface Limits {
  /** Undefined when the limits are off. */
  ofCalls: { limiter: RateLimiter; factor: number } | undefined
  close(): Promise<void>
}

/**
 * Counts calls in Redis when there is one, so that all nodes count together; else in this process.
 * @param onRefusal Told of every call that is refused, and of the limit that refused it.
 */
export function openLimits(
  settings: { REDIS_URL?: string | undefined; FLAMEGATE_RATE_LIMITS: 'off' | number },
  log: QueueLog,
  onRefusal: (limit: LimitName) => void = () => {},
): Limits {
  const { REDIS_URL: redisUrl, FLAMEGATE_RATE_LIMITS: factor } = settings
  if (factor === 'off') return { ofCalls: undefined, close: async () => undefined }
  if (redisUrl === undefined) {
    return {
      ofCalls: { limiter: told(tellingOnce(memoryRateLimiter()), onRefusal), factor },
      close: async () => undefined,
    }
  }
  const limiter = redisRateLimiter({ redisUrl, log })
  return { ofCalls: { limiter: told(tellingOnce(limiter), onRefusal), factor }, close: () => limiter.close() }
}

function told(limiter: RateLimiter, onRefusal: (limit: LimitName) => void): RateLimiter {
  const note = ({ cost }: Claim, verdict: Verdict): Verdict => {
    // At cost 0 somebody only looks.
    if (verdict.refusedBy !== undefined && cost > 0) onRefusal(verdict.refusedBy)
    return verdict
  }
  return {
    take(claim) {
      const verdict = limiter.take(claim)
      return verdict instanceof Promise ? verdict.then((late) => note(claim, late)) : note(claim, verdict)
    },
    release: (claim) => limiter.release(claim),
  }
}
