import type { LiveBounds } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { execute, queryRows, sql } from '../sql.ts'

/** An app that says nothing for so long has ended. */
const silentSeconds = 300
/** The last of so many seconds stays of what is older than that. */
const thinnings = [
  { olderThanSeconds: 3_600, stepSeconds: 60 },
  { olderThanSeconds: 300, stepSeconds: 10 },
]
/** Runs of a program that are remembered, at most: one that starts anew all the time does not fill the database. */
const sessionsMax = 1_000
/** What is too much is cut down to this share of what there may be, so that not every push has to. */
const trimmedTo = 0.9

interface Place {
  id: string
  workspaceId: string
}

export async function endSilent(client: ClientBase, { workspaceId, id }: Place): Promise<void> {
  await execute(
    client,
    sql`UPDATE live_apps SET ended_at = now() WHERE workspace_id = ${workspaceId} AND id = ${id} AND ended_at IS NULL
      AND coalesce(last_push_at, created_at) < now() - make_interval(secs => ${silentSeconds})`,
  )
}

/** Of the snapshots of a section and session, only the last of each step stays. */
export async function thinSnapshots(client: ClientBase, { workspaceId, id }: Place): Promise<void> {
  for (const { olderThanSeconds, stepSeconds } of thinnings) {
    const due = sql`older.workspace_id = ${workspaceId} AND older.live_app_id = ${id}
      AND older.step_seconds < ${stepSeconds}::int AND older.at < now() - make_interval(secs => ${olderThanSeconds})`
    // oxlint-disable-next-line no-await-in-loop -- one connection does one thing at a time
    await execute(
      client,
      sql`DELETE FROM live_snapshots AS older WHERE ${due} AND EXISTS (
        SELECT FROM live_snapshots AS newer WHERE newer.workspace_id = older.workspace_id
          AND newer.live_app_id = older.live_app_id AND newer.section = older.section AND newer.session = older.session
          AND newer.at > older.at
          AND newer.at < date_bin(make_interval(secs => ${stepSeconds}), older.at, 'epoch') + make_interval(secs => ${stepSeconds}))`,
    )
    // oxlint-disable-next-line no-await-in-loop -- the same
    await execute(
      client,
      sql`UPDATE live_snapshots AS older SET step_seconds = ${stepSeconds}::int WHERE ${due}`,
    )
  }
}

/** What is older than it is kept, and runs of the program that are too many. Gives how many rows went, or with `isDry` would go. */
export async function dropOld(
  client: ClientBase,
  { workspaceId, id }: Place,
  { keptForMs, isDry = false }: Pick<LiveBounds, 'keptForMs'> & { isDry?: boolean },
): Promise<number> {
  const ofApp = sql`workspace_id = ${workspaceId} AND live_app_id = ${id}`
  const since = new Date(Date.now() - keptForMs)
  const old = [
    sql`FROM live_logs WHERE ${ofApp} AND last_at < ${since}`,
    sql`FROM live_snapshots WHERE ${ofApp} AND at < ${since}`,
    sql`FROM live_sessions WHERE ${ofApp} AND (last_at < ${since} OR session IN (
      SELECT session FROM live_sessions WHERE ${ofApp} ORDER BY last_at DESC OFFSET ${sessionsMax}::int))`,
  ]
  let rows = 0
  // oxlint-disable no-await-in-loop -- one connection does one thing at a time
  for (const rowsOf of old) {
    rows += isDry
      ? ((await queryRows<{ count: number }>(client, sql`SELECT count(*)::int AS count ${rowsOf}`))[0]
          ?.count ?? 0)
      : await execute(client, sql`DELETE ${rowsOf}`)
  }
  // oxlint-enable no-await-in-loop
  return rows
}

/**
 * Drops what is oldest, of those sections that have most of snapshots or of logs: what tells little keeps all of it, however much
 * others tell.
 */
export async function dropBeyond(client: ClientBase, place: Place, bytesMax: number): Promise<void> {
  const groups = await sizes(client, place)
  if (groups.reduce((sum, { bytes }) => sum + bytes, 0) > bytesMax) {
    const cap = levelOf(
      groups.map(({ bytes }) => bytes),
      bytesMax * trimmedTo,
    )
    // oxlint-disable-next-line no-await-in-loop -- one connection does one thing at a time
    for (const group of groups) if (group.bytes > cap) await dropOldest(client, place, group, cap)
  }
  await noteSize(client, place)
}

interface Group {
  kind: 'snapshots' | 'logs'
  section: string
  bytes: number
}

function sizes(client: ClientBase, { workspaceId, id }: Place): Promise<Group[]> {
  const ofApp = sql`workspace_id = ${workspaceId} AND live_app_id = ${id}`
  return queryRows<Group>(
    client,
    sql`SELECT 'snapshots' AS kind, section, sum(octet_length(content))::bigint AS bytes
        FROM live_snapshots WHERE ${ofApp} GROUP BY section
      UNION ALL
      SELECT 'logs', section, sum(octet_length(content))::bigint FROM live_logs WHERE ${ofApp} GROUP BY section`,
  )
}

/** As much as each may have, so that all together have no more than `most`: those who have less keep what they have. */
export function levelOf(amounts: readonly number[], most: number): number {
  let rest = most
  const rising = amounts.toSorted((a, b) => a - b)
  for (const [index, amount] of rising.entries()) {
    const share = rest / (rising.length - index)
    if (amount > share) return share
    rest -= amount
  }
  return Infinity
}

async function dropOldest(
  client: ClientBase,
  { workspaceId, id }: Place,
  { kind, section }: Group,
  bytesMax: number,
): Promise<void> {
  const table = kind === 'logs' ? sql`live_logs` : sql`live_snapshots`
  const order = kind === 'logs' ? sql`last_at, session, sequence, part` : sql`at, session`
  const falling =
    kind === 'logs' ? sql`last_at DESC, session DESC, sequence DESC, part DESC` : sql`at DESC, session DESC`
  const ofGroup = sql`workspace_id = ${workspaceId} AND live_app_id = ${id} AND section = ${section}`
  // From the newest that is too much on, all of them: one after the other they would be looked for anew.
  await execute(
    client,
    sql`DELETE FROM ${table} WHERE ${ofGroup} AND (${order}) <= (
      SELECT ${order} FROM (SELECT ${order}, sum(octet_length(content)) OVER (ORDER BY ${falling}) AS up_to
        FROM ${table} WHERE ${ofGroup}) AS kept
      WHERE up_to > ${Math.floor(bytesMax)}::bigint ORDER BY ${falling} LIMIT 1)`,
  )
}

async function noteSize(client: ClientBase, { workspaceId, id }: Place): Promise<void> {
  const ofApp = sql`workspace_id = ${workspaceId} AND live_app_id = ${id}`
  await execute(
    client,
    sql`UPDATE live_apps SET size_bytes =
        (SELECT coalesce(sum(octet_length(content)), 0) FROM live_snapshots WHERE ${ofApp})
        + (SELECT coalesce(sum(octet_length(content)), 0) FROM live_logs WHERE ${ofApp})
      WHERE workspace_id = ${workspaceId} AND id = ${id}`,
  )
}
