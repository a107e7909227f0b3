import type { LiveItem, LiveSection } from '@flamegate/live'
import type { LiveSession, ToldMoment } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { queryRows, sql } from '../sql.ts'
import { unpackLive } from './live-content.ts'

/** What happened lately is what happened in so long; of who pushes less often, since the push before the last. */
const latelySeconds = 10
/** Who pushed nothing for so long, while others did, is gone. */
const pushingSeconds = 90
/** What was told longer before says nothing of lately. */
const beforeSecondsMax = 300
/** Processes of one app, the newest of them. */
const sessionsMax = 100

interface Row extends Pick<LiveSession, 'program' | 'firstAt'> {
  section: LiveSection
  session: string
  lastAt: Date
  lastContent: Buffer
  beforeAt: Date | null
  beforeContent: Buffer | null
}

/** Each process has a time of its own: one may push every second, and another every minute. */
export async function toldLately(
  client: ClientBase,
  { workspaceId, id }: { workspaceId: string; id: string },
  sections: readonly LiveSection[],
): Promise<ToldMoment[]> {
  const ofApp = sql`workspace_id = ${workspaceId} AND live_app_id = ${id}`
  const ofSession = sql`${ofApp} AND session = sessions.session AND section = sections.section`
  const rows = await queryRows<Row>(
    client,
    sql`SELECT sessions.session, program, first_at AS "firstAt", sections.section, last.at AS "lastAt",
        last.content AS "lastContent", before.at AS "beforeAt", before.content AS "beforeContent"
      FROM (SELECT session, program, first_at, last_at FROM live_sessions
        WHERE ${ofApp} AND last_at > (SELECT max(last_at) FROM live_sessions WHERE ${ofApp})
          - make_interval(secs => ${pushingSeconds})
        ORDER BY last_at DESC, session DESC LIMIT ${sessionsMax}::int) AS sessions
      CROSS JOIN unnest(${sections}::text[]) AS sections (section)
      CROSS JOIN LATERAL (SELECT at, content FROM live_snapshots WHERE ${ofSession}
        AND at > sessions.last_at - make_interval(secs => ${pushingSeconds}) ORDER BY at DESC LIMIT 1) AS last
      LEFT JOIN LATERAL (SELECT at, content FROM live_snapshots WHERE ${ofSession}
        AND at <= last.at - make_interval(secs => ${latelySeconds})
        AND at > last.at - make_interval(secs => ${beforeSecondsMax}) ORDER BY at DESC LIMIT 1) AS before ON true`,
  )
  return rows.map(({ section, session, program, firstAt, lastAt, lastContent, beforeAt, beforeContent }) => ({
    section,
    session: { program, firstAt },
    last: { session, at: lastAt, items: itemsOf(lastContent) },
    before:
      beforeAt === null || beforeContent === null
        ? undefined
        : { session, at: beforeAt, items: itemsOf(beforeContent) },
  }))
}

function itemsOf(content: Buffer): LiveItem[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a push was stored
  return unpackLive(content) as LiveItem[]
}
