import { setImmediate as giveWay } from 'node:timers/promises'
import type { LiveItem } from '@flamegate/live'
import type { LiveSession, LiveSnapshot, LiveSpan, LiveTold } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { nothing, queryRows, sql, type Sql } from '../sql.ts'
import { unpackLive } from './live-content.ts'

export const sessionColumns = sql`session, program, sections, first_at AS "firstAt", last_at AS "lastAt"`

/** Sessions that a question is answered of, the newest of them. */
const sessionsMax = 200
/** Packed, about: more of a history is not unpacked for one question, which takes a tenth of a second for each MB. */
const historyBytes = 4 * 2 ** 20
/** Of each process there are so many all the same. */
const historyLeast = 24

/** Where sessions and snapshots are: tables, and the column that says of which app, or of which recording. */
export interface ToldTables {
  sessions: Sql
  snapshots: Sql
  owner: Sql
}

export function liveTold(database: Database, { sessions, snapshots, owner }: ToldTables): LiveTold {
  return {
    sessions: (caller, id, span) =>
      database.asCallerSql(caller, (client) =>
        queryRows<LiveSession>(
          client,
          sql`SELECT ${sessionColumns} FROM ${sessions} WHERE ${owner} = ${id} ${newestOverlapping(span)}`,
        ),
      ),

    moments: async (caller, id, section, span) => {
      const rows = await database.asCallerSql(caller, (client) => {
        const ofSession = sql`${owner} = ${id} AND section = ${section} AND session = sessions.session`
        return queryRows<Moments>(
          client,
          sql`SELECT sessions.session, last.at AS "lastAt", last.content AS "lastContent",
              ${span.from === undefined ? sql`NULL AS "beforeAt"` : sql`before.at AS "beforeAt", before.content AS "beforeContent"`}
            FROM (SELECT session, last_at FROM ${sessions} WHERE ${owner} = ${id} ${newestOverlapping(span)}) AS sessions
            CROSS JOIN LATERAL (SELECT at, content FROM ${snapshots} WHERE ${ofSession}
              ${span.to === undefined ? nothing : sql`AND at <= ${span.to}`} ORDER BY at DESC LIMIT 1) AS last
            ${
              span.from === undefined
                ? nothing
                : sql`LEFT JOIN LATERAL (SELECT at, content FROM ${snapshots} WHERE ${ofSession}
                    AND at <= ${span.from} ORDER BY at DESC LIMIT 1) AS before ON true`
            }
            ORDER BY sessions.last_at DESC, sessions.session DESC`,
        )
      })
      return oneByOne(rows, ({ session, lastAt, lastContent, beforeAt, beforeContent }) => ({
        last: snapshotOf({ session, at: lastAt, content: lastContent }),
        before:
          beforeAt === null || beforeContent === undefined
            ? undefined
            : snapshotOf({ session, at: beforeAt, content: beforeContent }),
      }))
    },

    history: async (caller, id, section, span, snapshotsMax) => {
      const rows = await database.asCallerSql(caller, async (client) => {
        const moments = await queryRows<{ session: string; at: Date; bytes: number }>(
          client,
          sql`SELECT session, at, length(content) AS bytes FROM ${snapshots} WHERE ${owner} = ${id} AND section = ${section}
            ${span.from === undefined ? nothing : sql`AND at >= ${span.from}`}
            ${span.to === undefined ? nothing : sql`AND at <= ${span.to}`} ORDER BY session, at`,
        )
        const processes = [...Map.groupBy(moments, ({ session }) => session).values()]
        const meanBytes = moments.reduce((sum, { bytes }) => sum + bytes, 0) / moments.length
        const fitting = Math.max(historyLeast, Math.floor(historyBytes / (meanBytes * processes.length)))
        const kept = processes.flatMap((process) => spread(process, Math.min(snapshotsMax, fitting)))
        return queryRows<StoredSnapshot>(
          client,
          sql`SELECT session, at, content FROM ${snapshots}
            JOIN unnest(${kept.map(({ session }) => session)}::text[], ${kept.map(({ at }) => at)}::timestamptz[])
              AS kept (session, at) USING (session, at)
            WHERE ${owner} = ${id} AND section = ${section} ORDER BY at, session`,
        )
      })
      return oneByOne(rows, snapshotOf)
    },
  }
}

/** With a moment for others after each: a snapshot takes some milliseconds to unpack. */
async function oneByOne<Row, Result>(rows: readonly Row[], read: (row: Row) => Result): Promise<Result[]> {
  const results: Result[] = []
  for (const row of rows) {
    results.push(read(row))
    // oxlint-disable-next-line no-await-in-loop -- that is what it is for
    await giveWay()
  }
  return results
}

/** The newest sessions that overlap the time; the rest of a WHERE. */
export function newestOverlapping({ from, to }: LiveSpan): Sql {
  return sql`${from === undefined ? nothing : sql`AND last_at >= ${from}`}
    ${to === undefined ? nothing : sql`AND first_at <= ${to}`}
    ORDER BY last_at DESC, session DESC LIMIT ${sessionsMax}::int`
}

interface Moments {
  session: string
  lastAt: Date
  lastContent: Buffer
  beforeAt: Date | null
  beforeContent?: Buffer
}

export interface StoredSnapshot {
  session: string
  at: Date
  content: Buffer
}

export function snapshotOf({ session, at, content }: StoredSnapshot): LiveSnapshot {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a push was stored
  return { session, at, items: unpackLive(content) as LiveItem[] }
}

/** The first one, and the last of each of equal parts of their time: what is recent is told much more often than what is thinned. */
function spread<Item extends { at: Date }>(items: readonly Item[], itemsMax: number): Item[] {
  if (items.length <= itemsMax) return [...items]
  const begin = items[0]?.at.getTime() ?? 0
  const length = (items.at(-1)?.at.getTime() ?? 0) - begin
  const part = ({ at }: Item) => Math.ceil(((at.getTime() - begin) / length) * (itemsMax - 1))
  return [...new Map(items.map((item) => [part(item), item])).values()]
}
