/** A stretch of time in Unix seconds. */
export type TimeRange = readonly [fromSeconds: number, toSeconds: number]

/** No closer than this share of the whole: what is between two runs is of no interest. */
const narrowestShare = 1 / 500
/** Ranges that differ by less, as a share of the whole, are the same to whoever looks. */
const slackShare = 0.001

/** From the first of ascending times to the last. */
export function wholeRange(times: readonly number[]): TimeRange {
  return [times[0] ?? 0, times.at(-1) ?? 0]
}

/**
 * A range `factor` times as wide (below 1 is closer), in which `aroundSeconds` keeps its place; undefined when that is
 * the whole.
 */
export function zoomRange(
  [from, to]: TimeRange,
  whole: TimeRange,
  factor: number,
  aroundSeconds: number,
): TimeRange | undefined {
  const width = Math.max((to - from) * factor, (whole[1] - whole[0]) * narrowestShare)
  const share = to > from ? (aroundSeconds - from) / (to - from) : 0.5
  return within(aroundSeconds - share * width, width, whole)
}

/** A range moved by seconds, not beyond the whole; undefined when it is the whole. */
export function panRange([from, to]: TimeRange, whole: TimeRange, seconds: number): TimeRange | undefined {
  return within(from + seconds, to - from, whole)
}

/** What is shown of the whole; undefined when that is all of it. */
export function partOf([from, to]: TimeRange, whole: TimeRange): TimeRange | undefined {
  const slack = (whole[1] - whole[0]) * slackShare
  return from > whole[0] + slack || to < whole[1] - slack ? [from, to] : undefined
}

function within(from: number, width: number, whole: TimeRange): TimeRange | undefined {
  const start = Math.max(whole[0], Math.min(from, whole[1] - width))
  return partOf([start, Math.min(start + width, whole[1])], whole)
}

/** The ends as an address keeps them, to the millisecond; undefined of what is no time. */
export function parseTimeRange(since: string | undefined, until: string | undefined): TimeRange | undefined {
  const [from, to] = [Date.parse(since ?? '') / 1000, Date.parse(until ?? '') / 1000]
  return from < to ? [from, to] : undefined
}

/** Writes what `parseTimeRange` reads; empty words for the whole. */
export function stringifyTimeRange(range: TimeRange | undefined): { since: string; until: string } {
  const [since, until] = range?.map((seconds) => new Date(seconds * 1000).toISOString()) ?? []
  return { since: since ?? '', until: until ?? '' }
}
