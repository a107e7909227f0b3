import type { AlertReading } from './alert-reading.ts'

/** On which side of its limit a value is, and since when it is there without a break. */
export interface AlertStreak {
  /** `near`: below the limit, and too near to it to be calm. */
  side: 'over' | 'near' | 'calm'
  sinceMs: number
  /** End of the last time that was judged. */
  toMs: number
}

/** A value that is less than so much of its limit is calm: one that goes up and down at the limit opens nothing anew. */
const calmBelow = 0.9
/** However short it must last to be an alert, it is over only when it was calm for so long. */
const calmMsMin = 30_000
/** What is unknown for longer ends a streak. */
const gapMsMax = 60_000

/**
 * Goes on with a streak by what was read now, and says whether an alert begins or ends with that: it has to last
 * `forSeconds` beyond the limit, and as long well below it.
 */
export function nextStreak(
  before: AlertStreak | undefined,
  { value, limit, from, to }: Pick<AlertReading, 'value' | 'limit' | 'from' | 'to'>,
  { forSeconds, isAlerting }: { forSeconds: number; isAlerting: boolean },
): { streak: AlertStreak; event?: 'opens' | 'closes' } {
  const [fromMs, toMs] = [from.getTime(), to.getTime()]
  // Nothing new was told.
  if (before?.toMs === toMs) return { streak: before }
  const side = value === null || value <= limit * calmBelow ? 'calm' : value > limit ? 'over' : 'near'
  const goesOn =
    before !== undefined && before.side === side && toMs > before.toMs && fromMs <= before.toMs + gapMsMax
  const streak: AlertStreak = { side, sinceMs: goesOn ? before.sinceMs : fromMs, toMs }
  const lastedMs = toMs - streak.sinceMs
  if (!isAlerting && side === 'over' && lastedMs >= forSeconds * 1000) return { streak, event: 'opens' }
  if (isAlerting && side === 'calm' && lastedMs >= Math.max(forSeconds * 1000, calmMsMin))
    return { streak, event: 'closes' }
  return { streak }
}
