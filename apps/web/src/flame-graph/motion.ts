import type { Sight } from './viewport.ts'

/** A way from one sight to another, which takes a moment, so that the eye can follow. */
export interface Motion {
  from: Sight
  to: Sight
  startMs: number
}

const motionMs = 200

/** Where a motion is at a time: fast at first; the size changes by equal factors, around one place. */
export function sightDuring({ from, to, startMs }: Motion, nowMs: number): Sight {
  const time = Math.min(1, Math.max(0, (nowMs - startMs) / motionMs))
  if (time === 1) return to
  const eased = 1 - (1 - time) ** 3
  if (from.span === to.span || from.span <= 0 || to.span <= 0) {
    return { left: from.left + (to.left - from.left) * eased, span: to.span }
  }
  const span = from.span * (to.span / from.span) ** eased
  const share = (span - from.span) / (to.span - from.span)
  return { left: from.left + (to.left - from.left) * share, span }
}

export function isOver({ startMs }: Motion, nowMs: number): boolean {
  return nowMs - startMs >= motionMs
}
