import { hash } from 'node:crypto'
import type { Caller } from '@flamegate/contract'
import type { LiveSection, ReceivedLivePush } from '@flamegate/live'
import {
  LiveAppGone,
  LiveBusy,
  type LiveApp,
  type LiveSession,
  type LiveStore,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { gather } from '../gather.ts'
import { joinedBytes } from '../joined-bytes.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql, type Sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'
import { keptBytes } from './kept-bytes.ts'
import { packLive } from './live-content.ts'
import { newestLogs, partsOf } from './live-logs.ts'
import { afterPush } from './recent-pushes.ts'
import { dropBeyond, dropOld, endSilent, thinSnapshots } from './live-sweep.ts'
import { liveTold, sessionColumns, snapshotOf, type StoredSnapshot } from './live-told.ts'

const appColumns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", name, created_at AS "createdAt",
  last_push_at AS "lastPushAt", ended_at AS "endedAt", size_bytes AS "sizeBytes"`
/** So many pushes are stored at once: they leave connections to those who ask. Those of a session are stored one after the other. */
const lanes = 3
/** So many may wait for the database; each has its bytes in memory. */
const waitingMax = 100

type Pushed = Parameters<LiveStore['push']>[2]

export function liveStore(database: Database): LiveStore {
  const inLane = gather<() => Promise<'stored' | 'duplicate'>, 'stored' | 'duplicate'>(
    async ([push]) => [await push()],
    1,
  )
  let waiting = 0

  return {
    ...liveTold(database, {
      sessions: sql`live_sessions`,
      snapshots: sql`live_snapshots`,
      owner: sql`live_app_id`,
    }),

    list: (caller, projectId) =>
      database.asCallerSql(caller, async (client) => {
        const rows = await queryRows<LiveApp & NullableFields<LiveSession>>(
          client,
          sql`SELECT ${appColumns}, newest.* FROM live_apps LEFT JOIN LATERAL (SELECT ${sessionColumns} FROM live_sessions
              WHERE live_sessions.workspace_id = live_apps.workspace_id AND live_sessions.live_app_id = live_apps.id
              ORDER BY last_at DESC, session DESC LIMIT 1) AS newest ON true
            WHERE project_id = ${projectId} ORDER BY coalesce(last_push_at, created_at) DESC, id DESC`,
        )
        return rows.map(({ session, program, sections, firstAt, lastAt, ...app }) => ({
          ...app,
          newest:
            session === null || sections === null || firstAt === null || lastAt === null
              ? null
              : { session, program, sections, firstAt, lastAt },
        }))
      }),

    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [app] = await queryRows<LiveApp>(
          client,
          sql`SELECT ${appColumns} FROM live_apps WHERE id = ${id}`,
        )
        return app
      }),

    register: (caller, { id, workspaceId, projectId, name }, appsMax) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const ofProject = sql`workspace_id = ${workspaceId} AND project_id = ${projectId}`
        const [known] = await queryRows<LiveApp>(
          client,
          sql`SELECT ${appColumns} FROM live_apps WHERE ${ofProject} AND name = ${storableText(name)}`,
        )
        if (known !== undefined) return known
        const [created] = await queryRows<LiveApp>(
          client,
          sql`INSERT INTO live_apps (workspace_id, id, project_id, name, created_by)
            SELECT ${workspaceId}, ${id}, ${projectId}, ${storableText(name)}, ${caller.principal.userId}
            WHERE (SELECT count(*) FROM live_apps WHERE ${ofProject}) < ${appsMax}::float8
            ON CONFLICT (workspace_id, project_id, name) DO UPDATE SET name = excluded.name
            RETURNING ${appColumns}`,
        )
        return created
      }),

    countBytes: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const [counted] = await queryRows<{ apps: number }>(
          client,
          sql`SELECT coalesce(sum(size_bytes), 0)::float8 AS apps FROM live_apps WHERE workspace_id = ${workspaceId}`,
        )
        return {
          apps: counted?.apps ?? 0,
          recordings: await keptBytes(client, workspaceId, 'live_recordings'),
        }
      }),

    end: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const app = await placeOf(client, caller, id)
        if (app === undefined) return undefined
        const [ended] = await queryRows<LiveApp>(
          client,
          sql`UPDATE live_apps SET ended_at = coalesce(ended_at, now())
            WHERE workspace_id = ${app.workspaceId} AND id = ${id} RETURNING ${appColumns}`,
        )
        return ended
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const app = await placeOf(client, caller, id)
        if (app === undefined) return false
        const count = await execute(
          client,
          sql`DELETE FROM live_apps WHERE workspace_id = ${app.workspaceId} AND id = ${id}`,
        )
        return count > 0
      }),

    logs: (caller, appId, section, wanted) =>
      database.asCallerSql(caller, (client) => newestLogs(client, appId, section, wanted)),

    async push(caller, app, pushed) {
      mustWrite(caller, app.workspaceId)
      if (waiting >= waitingMax) throw new LiveBusy()
      waiting++
      try {
        return await inLane(laneOf(app, pushed), () =>
          database.asCallerSql(caller, (client) => storePush(client, app, pushed)),
        )
      } finally {
        waiting--
      }
    },

    trim: (caller, app, bytesMax) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, app.workspaceId)
        await dropBeyond(client, app, bytesMax)
      }),

    sweep: (caller, app, bounds) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, app.workspaceId)
        await endSilent(client, app)
        await thinSnapshots(client, app)
        const dropped = await dropOld(client, app, bounds)
        await dropBeyond(client, app, bounds.bytesMax)
        return dropped
      }),

    countOld: (caller, app, bounds) =>
      database.asCallerSql(caller, (client) => dropOld(client, app, { ...bounds, isDry: true })),
  }
}

async function placeOf(
  client: ClientBase,
  caller: Caller,
  id: string,
): Promise<{ workspaceId: string } | undefined> {
  const [app] = await queryRows<{ workspaceId: string }>(
    client,
    sql`SELECT workspace_id AS "workspaceId" FROM live_apps WHERE id = ${id}`,
  )
  if (app !== undefined) mustWrite(caller, app.workspaceId)
  return app
}

type NullableFields<Row> = { [Field in keyof Row]: Row[Field] | null }

function laneOf({ id }: LiveApp, { session }: Pushed): string {
  return String(hash('sha256', `${id} ${session}`, 'buffer').readUInt32LE() % lanes)
}

async function storePush(client: ClientBase, app: LiveApp, pushed: Pushed): Promise<'stored' | 'duplicate'> {
  const push = 'make' in pushed ? await makePush(client, app, pushed) : pushed
  if (push === undefined || !(await advance(client, app, push))) return 'duplicate'
  const bytes = (await storeSnapshots(client, app, push)) + (await storeLogs(client, app, push))
  // Last, because others who push to the app wait for this row.
  await execute(
    client,
    sql`UPDATE live_apps SET last_push_at = now(), ended_at = NULL, size_bytes = size_bytes + ${bytes}::bigint
      WHERE workspace_id = ${app.workspaceId} AND id = ${app.id}`,
  )
  return 'stored'
}

/** @returns undefined when it came before */
async function makePush(
  client: ClientBase,
  app: LiveApp,
  { session, identity, make }: Extract<Pushed, { make: unknown }>,
): Promise<ReceivedLivePush | undefined> {
  const ofSession = sql`workspace_id = ${app.workspaceId} AND live_app_id = ${app.id} AND session = ${session}`
  // Whoever is first: the next one waits for this row, and sees what this one stored.
  await addSession(client, app, sql`${session}, NULL, '{}', -1, now(), now()`, sql`NOTHING`)
  const [known] = await queryRows<{ lastSequence: number; recentPushes: Buffer | null }>(
    client,
    sql`SELECT last_sequence AS "lastSequence", recent_pushes AS "recentPushes" FROM live_sessions
      WHERE ${ofSession} FOR UPDATE`,
  )
  if (known === undefined) throw new LiveAppGone()
  if (identity !== undefined) {
    const recent = afterPush(known.recentPushes ?? Buffer.alloc(0), identity)
    if (recent === undefined) return undefined
    await execute(client, sql`UPDATE live_sessions SET recent_pushes = ${recent}::bytea WHERE ${ofSession}`)
  }
  const rows = await queryRows<StoredSnapshot & { section: LiveSection }>(
    client,
    sql`SELECT DISTINCT ON (section) section, session, at, content FROM live_snapshots WHERE ${ofSession}
      ORDER BY section, at DESC`,
  )
  return make(new Map(rows.map((row) => [row.section, snapshotOf(row)])), known.lastSequence)
}

/** Notes the push with its session, under whose lock the rest is done. False when it, or a later one, was there already. */
async function advance(client: ClientBase, app: LiveApp, push: ReceivedLivePush): Promise<boolean> {
  const at = new Date(push.at)
  const sections = Object.fromEntries(
    Object.entries(push.sections).map(([section, { status, reason, left_out: leftOut }]) => [
      section,
      { status, reason, leftOut },
    ]),
  )
  const program = push.program === undefined ? null : storableJson(push.program)
  const stored = await addSession(
    client,
    app,
    sql`${push.session}, ${program}::jsonb, ${storableJson(sections)}::jsonb, ${push.sequence}::bigint, ${at}, ${at}`,
    sql`UPDATE SET last_sequence = excluded.last_sequence,
      program = coalesce(excluded.program, live_sessions.program),
      sections = live_sessions.sections || excluded.sections,
      first_at = least(live_sessions.first_at, excluded.first_at),
      last_at = greatest(live_sessions.last_at, excluded.last_at)
      WHERE live_sessions.last_sequence < excluded.last_sequence`,
  )
  if (stored) return true
  const [known] = await queryRows(
    client,
    sql`SELECT FROM live_apps WHERE workspace_id = ${app.workspaceId} AND id = ${app.id}`,
  )
  if (known === undefined) throw new LiveAppGone()
  return false
}

/** The app cannot be deleted from here until the transaction ends. */
async function addSession(
  client: ClientBase,
  { workspaceId, id }: LiveApp,
  values: Sql,
  onConflict: Sql,
): Promise<boolean> {
  const count = await execute(
    client,
    sql`INSERT INTO live_sessions (workspace_id, live_app_id, project_id, session, program, sections, last_sequence, first_at, last_at)
      SELECT workspace_id, id, project_id, ${values} FROM live_apps
        WHERE workspace_id = ${workspaceId} AND id = ${id} FOR KEY SHARE
      ON CONFLICT (workspace_id, live_app_id, session) DO ${onConflict}`,
  )
  return count > 0
}

/** Gives how many bytes they are. */
async function storeSnapshots(
  client: ClientBase,
  { workspaceId, id, projectId }: LiveApp,
  { session, at, sections }: ReceivedLivePush,
): Promise<number> {
  const told = Object.entries(sections).filter(([, { status }]) => status === 'on')
  if (told.length === 0) return 0
  const { all, starts, lengths } = joinedBytes(told.map(([, { items }]) => packLive(items)))
  await execute(
    client,
    sql`INSERT INTO live_snapshots (workspace_id, live_app_id, project_id, section, session, at, content)
      SELECT ${workspaceId}, ${id}, ${projectId}, section, ${session}, ${new Date(at)},
        substring(${all}::bytea FROM start FOR length)
      FROM unnest(${told.map(([section]) => section)}::text[], ${starts}::int[], ${lengths}::int[])
        AS told (section, start, length)
      ON CONFLICT (workspace_id, live_app_id, section, session, at) DO UPDATE SET content = excluded.content, step_seconds = 0`,
  )
  return all.length
}

/** Gives how many bytes they are. */
async function storeLogs(
  client: ClientBase,
  { workspaceId, id, projectId }: LiveApp,
  { session, sequence, at, logs }: ReceivedLivePush,
): Promise<number> {
  const parts = partsOf(logs, at)
  if (parts.length === 0) return 0
  const { all, starts, lengths } = joinedBytes(parts.map(({ content }) => content))
  await execute(
    client,
    sql`INSERT INTO live_logs (workspace_id, live_app_id, project_id, section, session, first_at, last_at, sequence, part, items, content)
      SELECT ${workspaceId}, ${id}, ${projectId}, section, ${session}, first_at, last_at, ${sequence}::bigint, part,
        ARRAY(SELECT jsonb_array_elements_text(items::jsonb)), substring(${all}::bytea FROM start FOR length)
      FROM unnest(${parts.map(({ section }) => section)}::text[], ${parts.map(({ firstAt }) => firstAt)}::timestamptz[],
        ${parts.map(({ lastAt }) => lastAt)}::timestamptz[], ${parts.map((_, part) => part)}::int[],
        ${parts.map(({ items }) => storableJson(items))}::text[], ${starts}::int[], ${lengths}::int[])
        AS parts (section, first_at, last_at, part, items, start, length)`,
  )
  return all.length
}
