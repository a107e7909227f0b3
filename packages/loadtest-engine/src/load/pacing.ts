import type { Duration } from '@flamegate/loadtest'
import type { User } from '../program/user.ts'
import { milliseconds } from '../steps/waiting.ts'

/** Holds the iterations of each user of a profile apart: from one start to the next, at least. */
export class Pacing {
  readonly #interval: Duration

  constructor(interval: Duration) {
    this.#interval = interval
  }

  /** An iteration is over. False where it took longer: the next one begins at once. */
  hold(user: User, now: number): boolean {
    const next = user.iterationStart + milliseconds(this.#interval, user.random)
    user.holdUntil(next)
    return next >= now
  }
}
