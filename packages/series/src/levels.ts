/** How many seconds one row of a chunk counts. At the first, agents are merged, but for gauges; from the second on each stands for itself, too. */
export const levels = [1, 10, 60, 600] as const
export type Level = (typeof levels)[number]

/** Live seconds are sealed a window at a time: a chunk of each of the first two levels for each series. */
export const windowSeconds = 60
/** What was sealed is rolled up by so many seconds: a chunk of each of the other levels for each series. */
export const rolledSeconds = 600

/** Seconds from one on, and to before another. */
export interface Span {
  from: number
  to: number
}

/** Rows of a level, of those seconds. */
export interface LevelSpan extends Span {
  level: Level
}

/**
 * As few rows as there can be for the seconds of a span: the coarsest that divide `bucketSeconds` in the middle, finer ones at
 * the ends.
 * @param endOf up to which second there are rows of a level; 0 where there are none
 * @param finest when agents are told apart, there is nothing below 10 s: then the span has to begin and end on that
 */
export function coveringSpans(
  { from, to }: Span,
  options: { bucketSeconds: number; endOf: (level: Level) => number; finest: 1 | 10 },
): LevelSpan[] {
  const usable = levels.filter((level) => level >= options.finest && options.bucketSeconds % level === 0)
  const cover = (span: Span, coarsest: number): LevelSpan[] => {
    if (span.from >= span.to) return []
    const level = usable[coarsest] ?? options.finest
    if (coarsest <= 0) return [{ ...span, level }]
    const end = Math.min(span.to, options.endOf(level))
    const middle = { from: Math.ceil(span.from / level) * level, to: Math.floor(end / level) * level }
    if (middle.from >= middle.to) return cover(span, coarsest - 1)
    return [
      ...cover({ from: span.from, to: middle.from }, coarsest - 1),
      { ...middle, level },
      ...cover({ from: middle.to, to: span.to }, coarsest - 1),
    ]
  }
  return cover({ from, to }, usable.length - 1)
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
