import type { LiveItem, LiveSection } from '../push.ts'

/** Something that rose nearly all the time. */
export interface Growth {
  section: LiveSection
  session: string
  id: string
  name: string
  /** As in rows: `kept_bytes`, `queued`. */
  measure: string
  from: number
  to: number
  perSecond: number
  /** Of the steps from one low point to the next, how many rose. */
  risingSteps: number
  steps: number
  /** The lowest values of equal parts of the time, in order: what is taken and given back again does not show in these. */
  lows: readonly number[]
  /** Until it is as full as it can be, at this pace. */
  fullInSeconds: number | null
}

/** What cannot rise for ever, section by section. */
const watched: Partial<
  Record<LiveSection, Readonly<Record<string, (item: LiveItem) => number | undefined>>>
> = {
  threads: {
    kept_bytes: ({ counters: { allocated, freed } = {} }) =>
      allocated === undefined || freed === undefined ? undefined : allocated - freed,
    heap_used_bytes: ({ levels }) => levels?.['heap_used'],
    rss_bytes: ({ levels }) => levels?.['rss'],
  },
  // Of the program's own sampling, which may be rare: it takes a time of several of its readings.
  functions_alloc: { retained_bytes: ({ levels }) => levels?.['retained'] },
  channels: {
    queued: ({ levels, counters: { sent, received } = {} }) =>
      levels?.['queued'] ?? (sent === undefined || received === undefined ? undefined : sent - received),
    queued_bytes: ({ levels }) => levels?.['queued_bytes'],
  },
  futures: { pending: ({ levels }) => levels?.['pending'] },
  runtime: {
    global_queue_depth: ({ levels }) => levels?.['global_queue_depth'],
    blocking_queue_depth: ({ levels }) => levels?.['blocking_queue_depth'],
  },
  gauges: { value: ({ levels }) => levels?.['value'] },
}

/** Sections in which something can grow. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- keys of the table above
export const growingSections = Object.keys(watched) as LiveSection[]

const partsMax = 12
const partsMin = 5
const risingShareMin = 0.8
/** Less than that in all of the time is no growth. */
const growthMin = 0.02

/**
 * What grew steadily in snapshots of a section, in any order, the most first: of each item of each process the lowest value of
 * each of a dozen parts of the time, which must rise from nearly every one to the next.
 */
export function steadilyGrowing(
  section: LiveSection,
  snapshots: readonly { session: string; at: Date; items: readonly LiveItem[] }[],
): Growth[] {
  const series = new Map<string, Series>()
  const measures = Object.entries(watched[section] ?? {})
  for (const { session, at, items } of snapshots.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    for (const item of items) {
      for (const [measure, valueOf] of measures) {
        const value = valueOf(item)
        if (value === undefined) continue
        const key = `${measure} ${session} ${item.id}`
        const known = series.get(key) ?? { item, session, measure, points: [] }
        known.item = item
        known.points.push({ atMs: at.getTime(), value })
        series.set(key, known)
      }
    }
  }
  return [...series.values()]
    .flatMap(({ item, session, measure, points }) => {
      const growth = growthOf(points)
      if (growth === undefined) return []
      const capacity = measure === 'queued' ? item.levels?.['capacity'] : undefined
      return [
        {
          section,
          session,
          id: item.id,
          name: item.name,
          measure,
          ...growth,
          fullInSeconds: capacity === undefined ? null : Math.max(0, capacity - growth.to) / growth.perSecond,
        },
      ]
    })
    .toSorted((a, b) => growthShare(b) - growthShare(a))
}

interface Series {
  /** As it was told last. */
  item: LiveItem
  session: string
  measure: string
  points: Point[]
}

interface Point {
  atMs: number
  value: number
}

function growthOf(
  points: readonly Point[],
): Pick<Growth, 'from' | 'to' | 'perSecond' | 'risingSteps' | 'steps' | 'lows'> | undefined {
  const lowest = lowPoints(points)
  const first = lowest[0]
  const last = lowest.at(-1)
  if (first === undefined || last === undefined || lowest.length < partsMin) return undefined
  const steps = lowest.length - 1
  const risingSteps = lowest.filter(
    ({ value }, index) => value > (lowest[index - 1]?.value ?? Infinity),
  ).length
  const growth = last.value - first.value
  if (risingSteps / steps < risingShareMin || growth <= growthMin * Math.abs(first.value)) return undefined
  return {
    from: first.value,
    to: last.value,
    perSecond: growth / ((last.atMs - first.atMs) / 1000),
    risingSteps,
    steps,
    lows: lowest.map(({ value }) => value),
  }
}

/** The lowest point of each part of the time that has any. */
function lowPoints(points: readonly Point[]): Point[] {
  const first = points[0]?.atMs ?? 0
  const length = (points.at(-1)?.atMs ?? 0) - first + 1
  const lowest = new Map<number, Point>()
  for (const point of points) {
    const part = Math.floor(((point.atMs - first) / length) * partsMax)
    if (point.value < (lowest.get(part)?.value ?? Infinity)) lowest.set(part, point)
  }
  return [...lowest.values()]
}

/** By which part of what it is now it grew. */
function growthShare({ from, to }: Growth): number {
  return (to - from) / Math.max(Math.abs(to), 1)
}
