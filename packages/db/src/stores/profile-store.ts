import type { Profile, ProfileStore } from '@flamegate/operations/ports'
import type { Database, Transaction } from '../database.ts'
import { nothing, execute, queryRows, sql, startAfter, type Sql } from '../sql.ts'
import { mustWrite } from '../row-scope.ts'
import { storableJson, storableText } from '../storable.ts'

const selectProfiles = sql`SELECT id, workspace_id AS "workspaceId", project_id AS "projectId", run_id AS "runId",
  benchmark_id AS "benchmarkId", file_id AS "fileId", name, type, format, status, sample_types AS "sampleTypes",
  default_sample_type AS "defaultSampleTypeIndex", duration_ms AS "durationMs", started_at AS "startedAt",
  sample_count AS "sampleCount", node_count AS "nodeCount", labels, tags, service, expires_at AS "expiresAt",
  warnings, problem, created_at AS "createdAt",
  (SELECT jsonb_build_object('originRules', origin_rules, 'repository', repository, 'forge', forge, 'forgeUrl', forge_url,
      'commitHash', (SELECT commit_hash FROM runs
        WHERE runs.workspace_id = profiles.workspace_id AND runs.id = profiles.run_id))
    FROM projects WHERE projects.workspace_id = profiles.workspace_id AND projects.id = profiles.project_id) AS source
  FROM profiles`

export function profileStore(database: Database): ProfileStore {
  const find: ProfileStore['find'] = (caller, id) =>
    database.asCallerSql(caller, async (client) => {
      const [profile] = await queryRows<Profile>(client, sql`${selectProfiles} WHERE id = ${id}`)
      return profile
    })

  return {
    find,

    list: (caller, projectId, page, filter) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Profile>(
          client,
          sql`${selectProfiles} WHERE project_id = ${projectId}
            ${filter.type === undefined ? nothing : sql`AND type = ${filter.type}`}
            ${filter.runId === undefined ? nothing : sql`AND run_id = ${filter.runId}`}
            ${filter.benchmarkId === undefined ? nothing : sql`AND benchmark_id = ${filter.benchmarkId}`}
            ${filter.status === undefined ? nothing : sql`AND status = ${filter.status}`}
            ${filter.service === undefined ? nothing : sql`AND service = ${filter.service}`}
            ${filter.label === undefined ? nothing : withLabel(filter.label)}
            ${filter.tag === undefined ? nothing : sql`AND tags @> ${[filter.tag]}`}
            ${filter.since === undefined ? nothing : sql`AND created_at >= ${filter.since}::timestamptz`}
            ${filter.until === undefined ? nothing : sql`AND created_at < ${filter.until}::timestamptz`}
            ${startAfter(page.after, sql`created_at, id`)}
            ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    listProfiled: (caller, runs) =>
      database.asCallerSql(caller, (client) =>
        queryRows<{ runId: string; benchmarkId: string }>(
          client,
          sql`SELECT DISTINCT run_id AS "runId", benchmark_id AS "benchmarkId" FROM profiles
            WHERE workspace_id = ANY(${runs.map(({ workspaceId }) => workspaceId)})
              AND run_id = ANY(${runs.map(({ id }) => id)}) AND benchmark_id IS NOT NULL AND status = 'READY'`,
        ),
      ),

    create: async (caller, profile) => {
      await database.asCaller(caller, (transaction) =>
        transaction.profile.create({
          data: { ...profile, tags: profile.tags.map(storableText), createdBy: caller.principal.userId },
        }),
      )
      const created = await find(caller, profile.id)
      if (!created) throw new Error(`Profile ${profile.id} is gone`)
      return created
    },

    complete: (caller, id, { parts, ...outcome }) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<{ workspaceId: string }>(
          client,
          sql`SELECT workspace_id AS "workspaceId" FROM profiles WHERE id = ${id}`,
        )
        if (!found) throw new Error(`Profile ${id} is gone`)
        const { workspaceId } = found
        mustWrite(caller, workspaceId)
        await execute(
          client,
          sql`UPDATE profiles SET status = 'READY', problem = NULL, format = ${outcome.format},
              type = CASE WHEN type = 'unknown' THEN ${outcome.type} ELSE type END,
              sample_types = ${storableJson(outcome.sampleTypes)},
              default_sample_type = ${outcome.defaultSampleTypeIndex}, duration_ms = ${outcome.durationMs},
              started_at = ${outcome.startedAt}, sample_count = ${outcome.sampleCount},
              node_count = ${outcome.nodeCount}, service = coalesce(service, ${outcome.service ?? null}), labels = ${storableJson(outcome.labels)},
              warnings = ${storableJson(outcome.warnings)}
            WHERE workspace_id = ${workspaceId} AND id = ${id}`,
        )
        await execute(
          client,
          sql`DELETE FROM profile_parts WHERE workspace_id = ${workspaceId} AND profile_id = ${id}`,
        )
        for (const [part, bytes] of Object.entries(parts)) {
          await execute(
            client,
            sql`INSERT INTO profile_parts (workspace_id, profile_id, part, bytes)
              VALUES (${workspaceId}, ${id}, ${part}, ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)})`,
          )
        }
      }),

    fail: (caller, id, problem) =>
      database.asCaller(caller, async (transaction) => {
        const profile = await findPlace(transaction, id)
        if (!profile) return
        mustWrite(caller, profile.workspaceId)
        await transaction.profile.updateMany({
          where: { workspaceId: profile.workspaceId, id, status: 'PENDING' },
          data: { status: 'FAILED', problem: { code: problem.code, detail: storableText(problem.detail) } },
        })
      }),

    readPart: (caller, id, part) =>
      database.asCallerSql(caller, async (client) => {
        const [row] = await queryRows<{ bytes: Buffer }>(
          client,
          sql`SELECT bytes FROM profile_parts WHERE profile_id = ${id} AND part = ${part}`,
        )
        return row?.bytes
      }),

    remove: (caller, id) =>
      database.asCaller(caller, async (transaction) => {
        const profile = await findPlace(transaction, id)
        if (!profile) return false
        const { workspaceId, fileId } = profile
        mustWrite(caller, workspaceId)
        const { count } = await transaction.profile.deleteMany({ where: { workspaceId, id } })
        // The file came for this profile; it stays while another one was made from it.
        await transaction.file.deleteMany({ where: { workspaceId, id: fileId, profiles: { none: {} } } })
        return count > 0
      }),
  }
}

/** Labels of samples are summed up by name; those that a profile was pushed with are tags. */
function withLabel(label: string): Sql {
  const equals = label.indexOf('=')
  if (equals < 0) return sql`AND tags @> ${[label]}`
  const values = storableJson([{ value: label.slice(equals + 1) }])
  return sql`AND (tags @> ${[label]} OR labels -> ${label.slice(0, equals)}::text @> ${values}::jsonb)`
}

function findPlace(
  transaction: Transaction,
  id: string,
): Promise<{ workspaceId: string; fileId: string } | null> {
  return transaction.profile.findFirst({ where: { id }, select: { workspaceId: true, fileId: true } })
}
