import type { BenchResult } from '../ports/index.ts'

/** Up to which second of a run something may have been measured; 1 at least. */
export function measuredSeconds({ startedAt, endedAt, durationMs }: BenchResult, now = new Date()): number {
  if (startedAt === null) return 1
  const passedMs = (endedAt ?? now).getTime() - startedAt.getTime()
  // Of what has ended, the last seconds are those in which its agents said so.
  const seconds =
    endedAt === null ? Math.floor(passedMs / 1000) : Math.min(passedMs, durationMs + drainMs) / 1000
  return Math.max(1, Math.ceil(seconds))
}

/** Up to which second there was load, of those before `to`: what drains after that is counted, and makes no second more. */
export function loadedUntil(
  { stopAskedAt, durationMs }: Pick<BenchResult, 'stopAskedAt' | 'durationMs'>,
  to: number,
): number {
  return stopAskedAt === null ? Math.min(to, Math.ceil(durationMs / 1000)) : to
}

/** What came in the last seconds of a run that goes on may not be here yet. */
export const lateSeconds = 3

/** Agents let their users get to the end of what they do. */
const drainMs = 5_000
