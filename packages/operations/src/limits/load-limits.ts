import type { LoadLimits } from '@flamegate/loadtest'
import type { CallLimits } from './call-limits.ts'

/** How far from the plan's limits an installation goes; undefined where nothing is limited. */
export type LoadFactor = Pick<CallLimits, 'factor'> | undefined

/** What one run may be in the plan `free`, which is the only one. */
const plan: LoadLimits = {
  usersMax: 10_000,
  ratePerSecondMax: 20_000,
  durationMsMax: 86_400_000,
  browserUsersMax: 50,
}

/** Series of all runs that a workspace keeps, in the same plan: some forty hours of ten agents with two hundred actions. */
const planResultBytes = 10 * 2 ** 30

/** The plan's bytes of results, as far as this installation goes from them; Infinity where nothing is limited. */
export function resultBytesMax(limits: LoadFactor): number {
  return Math.round(planResultBytes * (limits?.factor ?? Infinity))
}

/** Files of all runs that a workspace keeps, in the same plan: half a billion requests or more. */
const planResultFileBytes = 10 * 2 ** 30

/** The plan's bytes of result files, as far as this installation goes from them; Infinity where nothing is limited. */
export function resultFileBytesMax(limits: LoadFactor): number {
  return Math.round(planResultFileBytes * (limits?.factor ?? Infinity))
}

/** The plan's limits of a run, as far as this installation goes from them; all Infinity where nothing is limited. */
export function loadLimits(limits: LoadFactor): LoadLimits {
  const factor = limits?.factor ?? Infinity
  return {
    usersMax: Math.round(plan.usersMax * factor),
    ratePerSecondMax: plan.ratePerSecondMax * factor,
    durationMsMax: Math.round(plan.durationMsMax * factor),
    browserUsersMax: Math.round(plan.browserUsersMax * factor),
  }
}

/** As on the wire: null where there is no limit. */
export function finite(limit: number): number | null {
  return limit === Infinity ? null : limit
}
