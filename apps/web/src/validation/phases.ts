import type { ActionRow } from './result-tree.ts'

/** Times of an exchange, in milliseconds. */
export type Timings = ActionRow['exchanges'][number]['timings_ms']

/** Phases in their order. The colours differ in lightness too, and keep 3:1 against the page in both themes. */
export const phases = [
  { key: 'blocked', label: 'Blocked', color: 'light-dark(#8a847a, #757067)' },
  { key: 'dns', label: 'DNS', color: 'light-dark(#0f766e, #2f9e8f)' },
  { key: 'connect', label: 'Connect', color: 'light-dark(#c2410c, #e8833a)' },
  { key: 'tls', label: 'TLS', color: 'light-dark(#a21caf, #d074e0)' },
  { key: 'send', label: 'Send', color: 'light-dark(#7c6a0a, #d8c24a)' },
  { key: 'first_byte', label: 'Wait for first byte', color: 'light-dark(#1d8a4f, #4fbf83)' },
  { key: 'download', label: 'Download', color: 'light-dark(#2b4acb, #8aa2ff)' },
] as const
export type Phase = (typeof phases)[number]

/** The time that an axis spans, in Unix milliseconds. */
export interface Axis {
  startMs: number
  endMs: number
}

/** From the first start to the last end; undefined without rows. */
export function axisOf(rows: readonly ActionRow[]): Axis | undefined {
  if (rows.length === 0) return undefined
  let startMs = Infinity
  let endMs = -Infinity
  for (const { started_at, duration_ms } of rows) {
    const at = Date.parse(started_at)
    startMs = Math.min(startMs, at)
    endMs = Math.max(endMs, at + duration_ms)
  }
  return { startMs, endMs: Math.max(endMs, startMs + 1) }
}

/** A part of the axis, in per cent of its width. */
export interface Span {
  left: number
  width: number
}

export function spanOf(axis: Axis, atMs: number, durationMs: number): Span {
  const whole = axis.endMs - axis.startMs
  const left = clamp(((atMs - axis.startMs) / whole) * 100)
  return { left, width: clamp(left + (durationMs / whole) * 100) - left }
}

/** The phases of an exchange that took any time, on the axis. */
export function segmentsOf(
  axis: Axis,
  startedAt: string,
  timings: Timings,
): (Span & { phase: Phase; ms: number })[] {
  let atMs = Date.parse(startedAt)
  return phases.flatMap((phase) => {
    const ms = timings[phase.key] ?? 0
    if (ms <= 0) return []
    const span = spanOf(axis, atMs, ms)
    atMs += ms
    return [{ ...span, phase, ms }]
  })
}

/** Round times for the ticks of an axis of so many milliseconds, the start among them: at most six. */
export function tickTimes(wholeMs: number): number[] {
  const rough = wholeMs / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough
  const times: number[] = []
  for (let at = 0; at <= wholeMs; at += step) times.push(at)
  return times
}

function clamp(percent: number): number {
  return Math.min(100, Math.max(0, percent))
}
