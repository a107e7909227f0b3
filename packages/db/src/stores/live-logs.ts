import type { LiveLog, LiveSection } from '@flamegate/live'
import type { LiveSpan } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { nothing, queryRows, sql, type Sql } from '../sql.ts'
import { packLive, unpackLive } from './live-content.ts'

/**
 * Logs of a push are stored in parts: some items of a section in each, so that a push is few rows, and what was logged of one item
 * is found without reading what was logged of all others.
 */
export interface LogPart {
  section: LiveSection
  items: string[]
  firstAt: Date
  lastAt: Date
  content: Buffer
}

const itemsPerPart = 50
const entriesPerPart = 2_000

/** Parts of the logs; those without entries are left out, and what is said to be lost with them is kept. */
export function partsOf(logs: readonly LiveLog[], pushedAt: number): LogPart[] {
  const parts: LogPart[] = []
  for (const [section, ofSection] of Map.groupBy(logs, (log) => log.section)) {
    let some: LiveLog[] = []
    let entries = 0
    const close = () => {
      if (some.length > 0) parts.push(partOf(section, some, pushedAt))
      some = []
      entries = 0
    }
    for (const log of ofSection) {
      if (log.at.length === 0 && (log.lost ?? 0) === 0) continue
      some.push(log)
      entries += log.at.length
      if (some.length === itemsPerPart || entries >= entriesPerPart) close()
    }
    close()
  }
  return parts
}

function partOf(section: LiveSection, logs: readonly LiveLog[], pushedAt: number): LogPart {
  let first = Infinity
  let last = -Infinity
  for (const { at } of logs) {
    for (const time of at) {
      if (time < first) first = time
      if (time > last) last = time
    }
  }
  // Of what was lost there is no time but the push's.
  if (first > last) first = last = pushedAt
  return {
    section,
    items: [...new Set(logs.map(({ item }) => item))],
    firstAt: new Date(Math.floor(first)),
    // A fraction of a millisecond is within.
    lastAt: new Date(Math.ceil(last)),
    content: packLive(logs),
  }
}

export interface WantedLogs {
  session?: string
  item?: string
  span: LiveSpan
  entriesMax: number
}

const partsAtFirst = 4
const partsAtOnceMax = 64

/**
 * The newest entries, of all parts that have any of them: parts are read from the newest on, until those that are left are older than
 * all that is to be told.
 */
export async function newestLogs(
  client: ClientBase,
  appId: string,
  section: LiveSection,
  { session, item, span, entriesMax }: WantedLogs,
): Promise<(LiveLog & { session: string })[]> {
  const from = span.from?.getTime() ?? -Infinity
  const to = span.to?.getTime() ?? Infinity
  const newest = newestTimes(entriesMax)
  const found: (LiveLog & { session: string })[] = []
  let after: Part | undefined
  for (let limit = partsAtFirst; ; limit = Math.min(limit * 2, partsAtOnceMax)) {
    // oxlint-disable-next-line no-await-in-loop -- whether more is to be read, shows what was read
    const parts: Part[] = await queryRows<Part>(
      client,
      sql`SELECT session, sequence, part, last_at AS "lastAt", content FROM live_logs
        WHERE live_app_id = ${appId} AND section = ${section}
          ${session === undefined ? nothing : sql`AND session = ${session}`}
          ${item === undefined ? nothing : sql`AND ${item} = ANY (items)`}
          ${span.from === undefined ? nothing : sql`AND last_at >= ${span.from}`}
          ${span.to === undefined ? nothing : sql`AND first_at <= ${span.to}`}
          ${after === undefined ? nothing : startingAfter(after)}
        ORDER BY last_at DESC, session DESC, sequence DESC, part DESC LIMIT ${limit}::int`,
    )
    for (const part of parts) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as partOf packed it
      for (const log of unpackLive(part.content) as LiveLog[]) {
        if (item !== undefined && log.item !== item) continue
        for (const time of log.at) if (time >= from && time <= to) newest.add(time)
        found.push({ ...log, session: part.session })
      }
    }
    after = parts.at(-1)
    if (after === undefined || parts.length < limit || after.lastAt.getTime() < newest.oldest()) break
  }
  const oldest = Math.max(from, newest.oldest())
  return found.flatMap((log) => within(log, oldest, to))
}

interface Part {
  session: string
  sequence: number
  part: number
  lastAt: Date
  content: Buffer
}

function startingAfter({ lastAt, session, sequence, part }: Part): Sql {
  return sql`AND (last_at, session, sequence, part) < (${lastAt}, ${session}, ${sequence}::bigint, ${part}::int)`
}

/** The so many newest of the times it is given. */
function newestTimes(timesMax: number): { add(time: number): void; oldest(): number } {
  let times: number[] = []
  let oldest = -Infinity
  const cut = () => {
    times = times.toSorted((a, b) => b - a).slice(0, timesMax)
    if (times.length === timesMax) oldest = times.at(-1) ?? -Infinity
  }
  return {
    add(time) {
      if (time <= oldest) return
      times.push(time)
      if (times.length >= 2 * timesMax) cut()
    },
    /** Of so many; -Infinity as long as there are fewer. */
    oldest() {
      cut()
      return oldest
    },
  }
}

/** The entries of that time; none where there are none, and nothing was lost. */
function within<Log extends LiveLog>(log: Log, from: number, to: number): Log[] {
  const { at } = log
  if (at.every((time) => time >= from && time <= to)) return at.length > 0 || log.lost ? [log] : []
  const places = [...at.keys()].filter((place) => (at[place] ?? 0) >= from && (at[place] ?? 0) <= to)
  if (places.length === 0) return []
  const pick = <T>(column: readonly T[]): T[] => places.flatMap((place) => column.slice(place, place + 1))
  return [
    {
      ...log,
      at: pick(at),
      ...(log.value && { value: pick(log.value) }),
      ...(log.count && { count: pick(log.count) }),
      ...(log.kind && { kind: pick(log.kind) }),
      ...(log.thread && { thread: pick(log.thread) }),
      ...(log.text && { text: pick(log.text) }),
    },
  ]
}
