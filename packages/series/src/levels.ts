/** How many seconds one row of a chunk counts. At the first, agents are merged, but for gauges; from the second on each stands for itself, too. */
export const levels = [1, 10, 60, 600, 3_600] as const
export type Level = (typeof levels)[number]

/** Live seconds are sealed a window at a time: a chunk of each of the first two levels for each series. */
export const windowSeconds = 60
/** What was sealed is rolled up by so many seconds: a chunk of each of the other levels for each series. */
export const rolledSeconds = 600
/** Of all actions beside each other there is a chunk of each hour besides: of the hour so far, as far as it was rolled up. */
export const hourSeconds = 3_600

/** Seconds from one on, and to before another. */
export interface Span {
  from: number
  to: number
}

/** Rows of a level, of those seconds. */
export interface LevelSpan extends Span {
  level: Level
}

/** The same, which are added or taken off. */
export interface CoveringSpan extends LevelSpan {
  isTakenOff: boolean
}

/**
 * As few rows as there can be for the seconds of a span: the coarsest that divide `bucketSeconds` in the middle, finer ones at
 * the ends; or a coarse one at an end, too, of which more than is asked for is taken off by finer ones.
 * @param options.endOf up to which second there are rows of a level; 0 where there are none. The last may be shorter than the others
 * @param options.finest when agents are told apart, there is nothing below 10 s: then the span has to begin and end on that
 * @param options.areSums only sums can be taken off
 */
export function coveringSpans(
  { from, to }: Span,
  options: { bucketSeconds: number; endOf: (level: Level) => number; finest: 1 | 10; areSums: boolean },
): CoveringSpan[] {
  const usable = levels.filter((level) => level >= options.finest && options.bucketSeconds % level === 0)
  const cover = (span: Span, coarsest: number, isTakenOff: boolean): CoveringSpan[] => {
    if (span.from >= span.to) return []
    const level = usable[coarsest] ?? options.finest
    if (coarsest <= 0) return [{ ...span, level, isTakenOff }]
    const finer = usable[coarsest - 1] ?? options.finest
    const middle = middleOf(span, level, { ...options, finer })
    if (middle === undefined) return cover(span, coarsest - 1, isTakenOff)
    const edge = (start: number, end: number) =>
      start < end
        ? cover({ from: start, to: end }, coarsest - 1, isTakenOff)
        : cover({ from: end, to: start }, coarsest - 1, !isTakenOff)
    return [...edge(span.from, middle.from), { ...middle, level, isTakenOff }, ...edge(middle.to, span.to)]
  }
  return cover({ from, to }, usable.length - 1, false)
}

/** From which row of a level to which one, where that makes fewer to add and to take off at the ends. */
function middleOf(
  { from, to }: Span,
  level: Level,
  { endOf, areSums, finer }: { endOf: (level: Level) => number; areSums: boolean; finer: Level },
): Span | undefined {
  const end = endOf(level)
  const below = (second: number) => (second < end ? Math.floor(second / level) * level : end)
  const above = (second: number) => Math.min(end, Math.ceil(second / level) * level)
  // A row that is added is one more, besides those by which it is too long.
  const isNearer = (beyond: number, within: number) => areSums && Math.abs(beyond) + finer < Math.abs(within)
  const middle = {
    from: isNearer(from - below(from), above(from) - from) ? below(from) : above(from),
    to: isNearer(above(to) - to, to - below(to)) ? above(to) : below(to),
  }
  const takenOff = Math.max(0, from - middle.from) + Math.max(0, middle.to - to)
  return middle.from < middle.to && takenOff < to - from ? middle : undefined
}

/**
 * The first seconds of all chunks that have rows of these spans: from one on to before another.
 * @param chunkSeconds how many seconds a chunk of a level is about
 */
export function windowsOf(spans: readonly LevelSpan[], chunkSeconds: (level: Level) => number): LevelSpan[] {
  const windows: LevelSpan[] = []
  for (const { level, from, to } of spans.toSorted((a, b) => a.level - b.level || a.from - b.from)) {
    const seconds = chunkSeconds(level)
    const span = { level, from: Math.floor(from / seconds) * seconds, to: Math.ceil(to / seconds) * seconds }
    const last = windows.at(-1)
    if (last?.level === level && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else windows.push(span)
  }
  return windows
}

const bucketWidths = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400,
]

/** The shortest round number of seconds of which no more than `pointsMax` make up the span. */
export function bucketSecondsFor({ from, to }: Span, pointsMax: number, finest: 1 | 10 = 1): number {
  const fits = (width: number) => Math.ceil(to / width) - Math.floor(from / width) <= pointsMax
  const width = bucketWidths.find((each) => each >= finest && fits(each))
  return width ?? Math.ceil((to - from) / Math.max(1, pointsMax - 1) / 86_400) * 86_400
}
