import { durationText } from './duration-text.ts'
import { type CurvePoint, loadCurve, loadDurationMs, loadPeak, valueAt } from './load-curve.ts'
import { isOpen, type Load } from './load.ts'
import type { Scenario } from './scenario.ts'

/** How large a scenario is, at most. */
export interface ScenarioExtent {
  durationMs: number
  /** Users of closed loads at once, before they are made whole, and those that open loads may take. */
  usersMax: number
  /** Iterations of open loads that begin in a second. */
  ratePerSecondMax: number
}

/** Of the profiles that are enabled. */
export function scenarioExtent({ profiles }: Pick<Scenario, 'profiles'>): ScenarioExtent {
  const enabled = profiles.filter(({ enabled: isEnabled }) => isEnabled)
  const open = enabled.filter(({ load }) => isOpen(load))
  return {
    durationMs: Math.max(
      0,
      ...enabled.map(({ load, start_delay_ms: delayMs }) => delayMs + loadDurationMs(load)),
    ),
    usersMax: open.reduce(
      (sum, { load }) => sum + (isOpen(load) ? load.users_max : 0),
      peak(sumOfCurves(enabled.flatMap((profile) => (isOpen(profile.load) ? [] : [delayed(profile)])))),
    ),
    ratePerSecondMax: peak(sumOfCurves(open.map(delayed))),
  }
}

/** The curve of a profile in the time of the run. */
export function delayed({
  load,
  start_delay_ms: delayMs,
}: {
  load: Load
  start_delay_ms: number
}): CurvePoint[] {
  const curve = loadCurve(load).map(({ atMs, value }) => ({ atMs: atMs + delayMs, value }))
  return delayMs > 0 ? [{ atMs: 0, value: 0 }, { atMs: delayMs, value: 0 }, ...curve] : curve
}

/** The sum of curves, with a corner wherever one of them has one. */
export function sumOfCurves(curves: readonly (readonly CurvePoint[])[]): CurvePoint[] {
  const times = [...new Set(curves.flatMap((curve) => curve.map(({ atMs }) => atMs)))].toSorted(
    (a, b) => a - b,
  )
  return times.flatMap((atMs, index) => {
    const before = curves.reduce((sum, curve) => sum + valueBefore(curve, atMs), 0)
    const after = curves.reduce((sum, curve) => sum + valueAt(curve, atMs), 0)
    if (index === 0) return [{ atMs, value: after }]
    if (index === times.length - 1) return [{ atMs, value: before }]
    return before === after
      ? [{ atMs, value: after }]
      : [
          { atMs, value: before },
          { atMs, value: after },
        ]
  })
}

/** One line about a load, such as `ramp_up to 50 users in 30 s, 2 min in all`. */
export function loadWords(load: Load): string {
  const top = Math.round(loadPeak(load) * 100) / 100
  const what = isOpen(load)
    ? `${top} iterations/s${load.arrivals === 'poisson' ? ', Poisson' : ''}, at most ${load.users_max} users`
    : `${top} users${load.iterations_per_user === null ? '' : `, ${load.iterations_per_user} iterations each`}`
  return `${load.type.replaceAll('_', ' ')}, ${what}, ${durationText(loadDurationMs(load))}`
}

function peak(curve: readonly CurvePoint[]): number {
  return Math.max(0, ...curve.map(({ value }) => value))
}

/** Value of a curve just before a moment. */
function valueBefore(curve: readonly CurvePoint[], atMs: number): number {
  const after = curve.findIndex((point) => point.atMs >= atMs)
  const [from, to] = [curve[after - 1], curve[after]]
  if (from === undefined || to === undefined) return 0
  return from.value + ((to.value - from.value) * (atMs - from.atMs)) / (to.atMs - from.atMs)
}
