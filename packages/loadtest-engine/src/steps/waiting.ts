import type { ActionOf, Duration } from '@flamegate/loadtest'
import type { Random } from '../random.ts'
import type { Told } from '../program/step.ts'
import type { User } from '../program/user.ts'

/** How long a user waits, in milliseconds. */
export function compileDelay(action: ActionOf<'delay'>): (user: User) => number {
  return (user) =>
    milliseconds(action.duration, user.random) * (action.is_scaled ? user.program.thinkTimeFactor : 1)
}

/** The next iteration begins no earlier; this one goes on. */
export function compilePacing(action: ActionOf<'pacing'>): (user: User, told: Told) => void {
  return (user, told) => {
    const interval = milliseconds(action.interval, user.random)
    user.holdUntil(user.iterationStart + interval)
    told.say(`The next iteration begins ${Math.round(interval)} ms after this one began, or later.`)
  }
}

/** How long it is this time. */
export function milliseconds(duration: Duration, random: Random): number {
  switch (duration.distribution) {
    case 'constant':
      return duration.ms
    case 'uniform':
      return duration.min_ms + random.fraction() * (duration.max_ms - duration.min_ms)
    default:
      return Math.max(0, random.normal(duration.mean_ms, duration.deviation_ms))
  }
}
