import type { Action, Duration } from '../model/action.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import { areaUnder, loadCurve, loadPeak, wholeUsers } from './load-curve.ts'
import { isOpen } from './load.ts'
import type { UserProfile } from './scenario.ts'

/** What one iteration of a virtual user is expected to do. */
export interface IterationEstimate {
  requests: number
  /** Requests of the first iteration only. */
  firstRequests: number
  /** Actions in a browser; what a page loads is not known before. */
  pages: number
  /** Think times, in milliseconds; those that a factor scales, and the others. */
  scaledDelayMs: number
  fixedDelayMs: number
  /** Longest of its pacings. */
  pacingMs: number
  /** False where a condition, a list or a page decides: then each is taken to happen once. */
  isCertain: boolean
}

export interface RequestEstimate {
  iterations: number
  requests: number
  isCertain: boolean
}

/** What a request is taken to last where nothing is known of it. */
export const assumedRequestMs = 200

const nothing: IterationEstimate = {
  requests: 0,
  firstRequests: 0,
  pages: 0,
  scaledDelayMs: 0,
  fixedDelayMs: 0,
  pacingMs: 0,
  isCertain: true,
}

export function estimateIteration({ actions, think_time_factor: factor }: VirtualUser): IterationEstimate {
  const estimate = sum(actions.map(estimateAction))
  return { ...estimate, scaledDelayMs: estimate.scaledDelayMs * factor }
}

/** How long an iteration takes, if each request takes `requestMs`. */
export function iterationMs(
  iteration: IterationEstimate,
  profile: Pick<UserProfile, 'think_time_factor' | 'pacing'>,
  requestMs = assumedRequestMs,
): number {
  const busyMs =
    (iteration.requests + iteration.pages) * requestMs +
    iteration.scaledDelayMs * profile.think_time_factor +
    iteration.fixedDelayMs
  const pacingMs = profile.pacing === null ? 0 : meanMs(profile.pacing)
  return Math.max(1, busyMs, iteration.pacingMs, pacingMs)
}

/** How much a profile is expected to send. Open loads: what the rate says; closed ones: as often as there is time. */
export function estimateRequests(
  profile: UserProfile,
  iteration: IterationEstimate,
  requestMs = assumedRequestMs,
): RequestEstimate {
  const { load } = profile
  const area = areaUnder(loadCurve(load))
  const users = isOpen(load) ? load.users_max : wholeUsers(loadPeak(load))
  const fitting = isOpen(load) ? area : (area * 1000) / iterationMs(iteration, profile, requestMs)
  const perUser = isOpen(load) ? null : load.iterations_per_user
  const iterations = Math.round(perUser === null ? fitting : Math.min(fitting, users * perUser))
  return {
    iterations,
    requests: Math.round(
      iterations * iteration.requests + Math.min(users, iterations) * iteration.firstRequests,
    ),
    isCertain: iteration.isCertain,
  }
}

/** What a duration is on average. */
export function meanMs(duration: Duration): number {
  switch (duration.distribution) {
    case 'constant':
      return duration.ms
    case 'uniform':
      return (duration.min_ms + duration.max_ms) / 2
    default:
      return duration.mean_ms
  }
}

function estimateAction(action: Action): IterationEstimate {
  if (!action.enabled) return nothing
  switch (action.type) {
    case 'http_request': {
      const { mode, list } = action.resources
      const resources = mode === 'listed' ? list.filter(({ enabled }) => enabled).length : 0
      const redirects = action.redirects.follow ? action.redirects.recorded.length : 0
      return { ...nothing, requests: 1 + resources + redirects, isCertain: mode !== 'parsed' }
    }
    case 'websocket':
      return { ...nothing, requests: action.operation === 'connect' ? 1 : 0 }
    case 'page':
      return { ...nothing, pages: 1, isCertain: false }
    case 'delay': {
      const ms = meanMs(action.duration)
      return action.is_scaled ? { ...nothing, scaledDelayMs: ms } : { ...nothing, fixedDelayMs: ms }
    }
    case 'pacing':
      return { ...nothing, pacingMs: meanMs(action.interval) }
    case 'container':
      return sum(action.actions.map(estimateAction))
    case 'once': {
      const inside = sum(action.actions.map(estimateAction))
      return {
        ...nothing,
        firstRequests: inside.requests + inside.firstRequests,
        isCertain: inside.isCertain,
      }
    }
    case 'loop': {
      const count = Number(action.count)
      const isKnown = action.count.trim() !== '' && Number.isFinite(count)
      const inside = sum(action.actions.map(estimateAction))
      return {
        ...times(inside, isKnown ? Math.max(0, Math.trunc(count)) : 1),
        isCertain: inside.isCertain && isKnown,
      }
    }
    case 'if':
    case 'while':
    case 'for_each':
      return { ...sum(action.actions.map(estimateAction)), isCertain: false }
    case 'random': {
      const whole = action.choices.reduce((total, { weight }) => total + weight, 0)
      if (whole === 0) return nothing
      return sum(
        action.choices.map(({ weight, actions }) => times(sum(actions.map(estimateAction)), weight / whole)),
      )
    }
    // It sets a variable, or runs a script.
    default:
      return nothing
  }
}

function times(estimate: IterationEstimate, factor: number): IterationEstimate {
  return {
    ...estimate,
    requests: estimate.requests * factor,
    // The first iteration goes through it as often, but does once what is to be done once.
    firstRequests: estimate.firstRequests * Math.min(1, factor),
    pages: estimate.pages * factor,
    scaledDelayMs: estimate.scaledDelayMs * factor,
    fixedDelayMs: estimate.fixedDelayMs * factor,
  }
}

function sum(estimates: readonly IterationEstimate[]): IterationEstimate {
  return estimates.reduce(
    (whole, each) => ({
      requests: whole.requests + each.requests,
      firstRequests: whole.firstRequests + each.firstRequests,
      pages: whole.pages + each.pages,
      scaledDelayMs: whole.scaledDelayMs + each.scaledDelayMs,
      fixedDelayMs: whole.fixedDelayMs + each.fixedDelayMs,
      pacingMs: Math.max(whole.pacingMs, each.pacingMs),
      isCertain: whole.isCertain && each.isCertain,
    }),
    nothing,
  )
}
