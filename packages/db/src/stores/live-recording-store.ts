import type { Caller } from '@flamegate/contract'
import type { LiveSection } from '@flamegate/live'
import type {
  LiveRecording,
  LiveRecordingBounds,
  LiveRecordingRefusal,
  LiveRecordingStore,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { gather } from '../gather.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql, startAfter, type Sql } from '../sql.ts'
import { storableText } from '../storable.ts'
import { keptBytes } from './kept-bytes.ts'
import { liveTold, newestOverlapping } from './live-told.ts'

const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", live_app_id AS "liveAppId", app_name AS app,
  name, note, from_at AS "from", to_at AS "to", processes, sections, size_bytes AS "sizeBytes", created_by AS "createdBy",
  created_at AS "createdAt"`

/** Into so many equal parts a recording is cut; the last snapshot of each is kept, and the last one before them. */
const parts = 60

type Outcome = LiveRecording | LiveRecordingRefusal

export function liveRecordingStore(database: Database): LiveRecordingStore {
  // Of a workspace, so that they do not pass its bounds together, and leave connections to others.
  const oneByOne = gather<() => Promise<Outcome>, Outcome>(async ([work]) => [await work()], 1)

  return {
    ...liveTold(database, {
      sessions: sql`live_recorded_sessions`,
      snapshots: sql`live_recorded_snapshots`,
      owner: sql`live_recording_id`,
    }),

    async pin(caller, recording, bounds) {
      mustWrite(caller, recording.workspaceId)
      return oneByOne(recording.workspaceId, () =>
        database.asCallerSql(caller, (client) => pin(client, caller, recording, bounds)),
      )
    },

    list: (caller, projectId, page, { liveAppId }) =>
      database.asCallerSql(caller, (client) =>
        queryRows<LiveRecording>(
          client,
          sql`SELECT ${columns} FROM live_recordings WHERE project_id = ${projectId}
            ${liveAppId === undefined ? nothing : sql`AND live_app_id = ${liveAppId}`}
            ${startAfter(page.after, sql`created_at, id`)}
            ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [recording] = await queryRows<LiveRecording>(
          client,
          sql`SELECT ${columns} FROM live_recordings WHERE id = ${id}`,
        )
        return recording
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [recording] = await queryRows<{ workspaceId: string }>(
          client,
          sql`SELECT workspace_id AS "workspaceId" FROM live_recordings WHERE id = ${id}`,
        )
        if (recording === undefined) return false
        mustWrite(caller, recording.workspaceId)
        const count = await execute(
          client,
          sql`DELETE FROM live_recordings WHERE workspace_id = ${recording.workspaceId} AND id = ${id}`,
        )
        return count > 0
      }),
  }
}

type Pinned = Parameters<LiveRecordingStore['pin']>[1]

async function pin(
  client: ClientBase,
  { principal }: Caller,
  recording: Pinned,
  { recordingsOfProjectMax, bytesOfWorkspaceMax }: LiveRecordingBounds,
): Promise<Outcome> {
  const { processes, sections, bytes } = await toldIn(client, recording)
  if (bytes === 0) return { refused: 'nothing_told' }
  const kept = await keptOf(client, recording)
  if (kept.recordings >= recordingsOfProjectMax) return { refused: 'too_many' }
  if (kept.bytes + bytes > bytesOfWorkspaceMax) {
    return { refused: 'too_large', neededBytes: bytes, keptBytes: kept.bytes }
  }
  const [pinned] = await queryRows<LiveRecording>(
    client,
    sql`INSERT INTO live_recordings (workspace_id, id, project_id, live_app_id, app_name, name, note, from_at, to_at,
        processes, sections, size_bytes, created_by)
      VALUES (${recording.workspaceId}, ${recording.id}, ${recording.projectId}, ${recording.liveAppId}, ${recording.app},
        ${storableText(recording.name)}, ${recording.note === null ? null : storableText(recording.note)},
        ${recording.from}, ${recording.to}, ${processes}, ${sections}, ${bytes}, ${principal.userId})
      RETURNING ${columns}`,
  )
  if (pinned === undefined) throw new TypeError('The recording was stored, and is not there')
  await copyTold(client, recording)
  return pinned
}

/** What there is of a time of an app: of the snapshots that are to be kept. */
async function toldIn(
  client: ClientBase,
  recording: Pinned,
): Promise<{ processes: number; sections: LiveSection[]; bytes: number }> {
  const [told] = await queryRows<{ processes: number; sections: LiveSection[]; bytes: number }>(
    client,
    sql`SELECT count(DISTINCT session)::int AS processes, coalesce(array_agg(DISTINCT section ORDER BY section), '{}') AS sections,
        coalesce(sum(octet_length(content)), 0)::bigint AS bytes FROM live_snapshots ${wanted(recording)}`,
  )
  return told ?? { processes: 0, sections: [], bytes: 0 }
}

async function keptOf(
  client: ClientBase,
  { workspaceId, projectId }: Pinned,
): Promise<{ recordings: number; bytes: number }> {
  const [kept] = await queryRows<{ recordings: number }>(
    client,
    sql`SELECT count(*) AS recordings FROM live_recordings
      WHERE workspace_id = ${workspaceId} AND project_id = ${projectId}`,
  )
  return {
    recordings: kept?.recordings ?? 0,
    bytes: await keptBytes(client, workspaceId, 'live_recordings'),
  }
}

async function copyTold(client: ClientBase, recording: Pinned): Promise<void> {
  const { workspaceId, projectId, id, liveAppId, to } = recording
  await execute(
    client,
    sql`INSERT INTO live_recorded_sessions (workspace_id, live_recording_id, project_id, session, program, sections, first_at, last_at)
      SELECT ${workspaceId}, ${id}, ${projectId}, session, program, sections, first_at, least(last_at, ${to}) FROM live_sessions
      WHERE workspace_id = ${workspaceId} AND live_app_id = ${liveAppId} ${newestOverlapping(recording)}`,
  )
  await execute(
    client,
    sql`INSERT INTO live_recorded_snapshots (workspace_id, live_recording_id, project_id, section, session, at, content)
      SELECT ${workspaceId}, ${id}, ${projectId}, section, session, at, content FROM live_snapshots ${wanted(recording)}`,
  )
}

/**
 * Of each section of each session in the time the last snapshot of each part, and the last one before. Parts begin where the app
 * begins to tell: of a time that is longer than what is kept no fewer are wanted.
 */
function wanted({ workspaceId, liveAppId, from, to }: Pinned): Sql {
  const ofApp = sql`workspace_id = ${workspaceId} AND live_app_id = ${liveAppId}`
  return sql`JOIN (SELECT DISTINCT ON (section, session, part) section, session, at FROM (
        SELECT section, session, at,
          greatest(0, ceil(${parts}::int * extract(epoch FROM at - begins) / nullif(extract(epoch FROM ${to}::timestamptz - begins), 0))) AS part
        FROM live_snapshots,
          (SELECT greatest(${from}::timestamptz, min(at)) AS begins FROM live_snapshots WHERE ${ofApp}) AS told
        WHERE ${ofApp} AND at <= ${to} AND session IN (
          SELECT session FROM live_sessions WHERE ${ofApp} ${newestOverlapping({ from, to })})) AS parted
      ORDER BY section, session, part, at DESC) AS kept USING (section, session, at)
    WHERE ${ofApp}`
}
