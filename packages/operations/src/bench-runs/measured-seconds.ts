import type { BenchResult } from '../ports/index.ts'

/**
 * Up to which second of a run something may have been measured; 1 at least. Totals go that far: programs that take a while to start
 * are late by it, and users are cut off when the time to drain is over.
 */
export function measuredSeconds(
  { startedAt, endedAt }: Pick<BenchResult, 'startedAt' | 'endedAt'>,
  now = new Date(),
): number {
  if (startedAt === null) return 1
  const seconds = ((endedAt ?? now).getTime() - startedAt.getTime()) / 1000
  // The second that goes on is not over yet.
  return Math.max(1, endedAt === null ? Math.floor(seconds) : Math.ceil(seconds))
}

/** Up to which second a run is drawn: of what has ended, the last seconds are mostly those in which its agents said so. */
export function drawnSeconds(run: BenchResult): number {
  const seconds = measuredSeconds(run)
  return run.endedAt === null ? seconds : Math.min(seconds, Math.ceil((run.durationMs + drainMs) / 1000))
}

/** Up to which second there was load, of those before `to`: what drains after that is counted, and makes no second more. */
export function loadedUntil({ durationMs }: Pick<BenchResult, 'durationMs'>, to: number): number {
  return Math.min(to, Math.ceil(durationMs / 1000))
}

/** What came in the last seconds of a run that goes on may not be here yet. */
export const lateSeconds = 3

/** Agents let their users get to the end of what they do. */
const drainMs = 5_000
