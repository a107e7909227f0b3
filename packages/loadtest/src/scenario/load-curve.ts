import { isOpen, type Load } from './load.ts'

/** A corner of a curve: users, or iterations per second. Two at the same time are a jump. */
export interface CurvePoint {
  atMs: number
  value: number
}

/**
 * The corners of a load, with straight lines between them: users for closed models, iterations that begin per second for open
 * ones. The first is at 0, the last where the load ends; there are always two or more.
 */
export function loadCurve(load: Load): CurvePoint[] {
  switch (load.type) {
    case 'ramp_up':
      return trapezoid(load.users, load.ramp_up_ms, load.plateau_ms, 0)
    case 'ramp_up_down':
      return trapezoid(load.users, load.ramp_up_ms, load.plateau_ms, load.ramp_down_ms)
    case 'stairs':
      return stairs(load)
    case 'custom':
      return load.points.map(({ at_ms: atMs, users: value }) => ({ atMs, value }))
    case 'constant_rate':
      return [
        { atMs: 0, value: load.rate_per_second },
        { atMs: load.duration_ms, value: load.rate_per_second },
      ]
    case 'ramping_rate':
      return load.points.map(({ at_ms: atMs, rate_per_second: value }) => ({ atMs, value }))
    default:
      return spikes(load)
  }
}

/** How long a load lasts; users of closed models may be done earlier. */
export function loadDurationMs(load: Load): number {
  return loadCurve(load).at(-1)?.atMs ?? 0
}

/** Most users at once, or iterations that begin in a second. */
export function loadPeak(load: Load): number {
  return Math.max(...loadCurve(load).map(({ value }) => value))
}

/** Value of a curve; at a jump that after it, and 0 from its end on and before its beginning. */
export function valueAt(curve: readonly CurvePoint[], atMs: number): number {
  if (atMs < 0 || atMs >= (curve.at(-1)?.atMs ?? 0)) return 0
  const after = curve.findIndex((point) => point.atMs > atMs)
  const [from, to] = [curve[after - 1], curve[after]]
  if (from === undefined || to === undefined) return 0
  return from.value + ((to.value - from.value) * (atMs - from.atMs)) / (to.atMs - from.atMs)
}

/**
 * How many users a closed load wants at a moment. The first one begins with the ramp, the last one before its end: what is
 * between two whole numbers is the higher one. 0 for open loads, and from the end on.
 */
export function wantedUsers(load: Load, atMs: number): number {
  return isOpen(load) ? 0 : wholeUsers(valueAt(loadCurve(load), atMs))
}

/** Users for a value of a curve; what floating-point numbers are off is no user. */
export function wholeUsers(value: number): number {
  return Math.max(0, Math.ceil(value - 1e-6))
}

/** Area under a curve, in units of its values times seconds. */
export function areaUnder(curve: readonly CurvePoint[]): number {
  return curve.reduce((sum, to, index) => {
    const from = curve[index - 1]
    return from === undefined ? sum : sum + ((from.value + to.value) / 2) * ((to.atMs - from.atMs) / 1000)
  }, 0)
}

function trapezoid(users: number, upMs: number, plateauMs: number, downMs: number): CurvePoint[] {
  return [
    ...(upMs > 0 ? [{ atMs: 0, value: 0 }] : []),
    { atMs: upMs, value: users },
    { atMs: upMs + plateauMs, value: users },
    ...(downMs > 0 ? [{ atMs: upMs + plateauMs + downMs, value: 0 }] : []),
  ]
}

function stairs({
  users,
  steps,
  step_ms: stepMs,
  rise_ms: riseMs,
}: Extract<Load, { type: 'stairs' }>): CurvePoint[] {
  const points: CurvePoint[] = [{ atMs: 0, value: 0 }]
  for (let step = 1; step <= steps; step++) {
    const value = wholeUsers((users * step) / steps)
    const atMs = (step - 1) * (stepMs + riseMs) + riseMs
    points.push({ atMs, value }, { atMs: atMs + stepMs, value })
  }
  return points
}

function spikes(load: Extract<Load, { type: 'spikes' }>): CurvePoint[] {
  const { base_rate_per_second: base, spike_rate_per_second: spike, duration_ms: endMs } = load
  const points: CurvePoint[] = [{ atMs: 0, value: base }]
  for (let atMs = load.first_spike_ms; atMs < endMs; atMs += load.interval_ms) {
    const over = Math.min(endMs, atMs + load.spike_ms)
    points.push(
      { atMs, value: base },
      { atMs, value: spike },
      { atMs: over, value: spike },
      { atMs: over, value: base },
    )
  }
  return [...points, { atMs: endMs, value: base }]
}
