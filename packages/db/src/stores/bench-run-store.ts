import type {
  BenchChange,
  BenchPlan,
  BenchResult,
  BenchRunStore,
  BenchSample,
  BenchShard,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql, startAfter } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", scenario_id AS "scenarioId",
  scenario_version AS "scenarioVersion", name, state, message, duration_ms::float8 AS "durationMs", events,
  shares_version AS "sharesVersion", is_degraded AS "isDegraded", stop_asked_at AS "stopAskedAt",
  task_id AS "taskId", created_by AS "createdBy", created_at AS "createdAt", started_at AS "startedAt",
  ended_at AS "endedAt"`

const shardColumns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId",
  bench_result_id AS "benchResultId", slot, agent_group AS "agentGroup", state,
  load_generator_id AS "loadGeneratorId", share_index AS "shareIndex", share_count AS "shareCount", message,
  created_at AS "createdAt", last_seen_at AS "lastSeenAt", ended_at AS "endedAt"`

const sampleColumns = sql`id, action, profile, error_class AS "errorClass", message, at, exchange`

const isOpen = sql`state IN ('PENDING', 'PREPARING', 'RUNNING', 'STOPPING')`
const isShardOpen = sql`state IN ('WAITING', 'PREPARING', 'READY', 'RUNNING')`

/** Events of a run that are kept; what comes after is in the logs. */
const eventsMax = 500
const samplesMax = 2000

export function benchRunStore(database: Database): BenchRunStore {
  return {
    create: (caller, { plan, ...run }, shards) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, run.workspaceId)
        const [created] = await queryRows<BenchResult>(
          client,
          sql`INSERT INTO bench_results (workspace_id, id, project_id, scenario_id, scenario_version, name,
              duration_ms, message, plan, task_id, created_by)
            VALUES (${run.workspaceId}, ${run.id}, ${run.projectId}, ${run.scenarioId}, ${run.scenarioVersion},
              ${storableText(run.name)}, ${run.durationMs}, 'Waiting for agents.', ${storableJson(plan)}::jsonb,
              ${run.taskId}, ${caller.principal.userId})
            RETURNING ${columns}`,
        )
        if (created === undefined) throw new TypeError('The run was stored, and is not there')
        for (const [slot, { id, agentGroup, shareIndex, shareCount }] of shards.entries()) {
          // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
          await execute(
            client,
            sql`INSERT INTO bench_shards (workspace_id, id, project_id, bench_result_id, slot, agent_group,
                share_index, share_count)
              VALUES (${run.workspaceId}, ${id}, ${run.projectId}, ${run.id}, ${slot}, ${agentGroup},
                ${shareIndex}, ${shareCount})`,
          )
        }
        return created
      }),

    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<BenchResult>(
          client,
          sql`SELECT ${columns} FROM bench_results WHERE id = ${id}`,
        )
        return found
      }),

    findPlan: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<{ plan: BenchPlan }>(
          client,
          sql`SELECT plan FROM bench_results WHERE id = ${id}`,
        )
        return found?.plan
      }),

    list: (caller, { projectId, scenarioId }, page) =>
      database.asCallerSql(caller, (client) =>
        queryRows<BenchResult>(
          client,
          sql`SELECT ${columns} FROM bench_results WHERE project_id = ${projectId}
            ${scenarioId === undefined ? nothing : sql`AND scenario_id = ${scenarioId}`}
            ${startAfter(page.after, sql`created_at, id`)}
            ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    listOpen: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const open = await queryRows<{ id: string }>(
          client,
          sql`SELECT id FROM bench_results WHERE workspace_id = ${workspaceId} AND ${isOpen} ORDER BY created_at, id`,
        )
        return open.map(({ id }) => id)
      }),

    listShards: (caller, benchResultId) =>
      database.asCallerSql(caller, (client) => shardsOf(client, benchResultId)),

    findShard: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<BenchShard>(
          client,
          sql`SELECT ${shardColumns} FROM bench_shards WHERE id = ${id}`,
        )
        return found
      }),

    lease: (caller, { id, workspaceId, agentGroup }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        await execute(
          client,
          sql`UPDATE load_generators SET last_seen_at = now() WHERE workspace_id = ${workspaceId} AND id = ${id}`,
        )
        const [leased] = await queryRows<BenchShard>(
          client,
          sql`UPDATE bench_shards SET state = 'PREPARING', load_generator_id = ${id}, last_seen_at = now()
            WHERE workspace_id = ${workspaceId} AND id = (
              SELECT id FROM bench_shards AS waiting
              WHERE workspace_id = ${workspaceId} AND agent_group = ${agentGroup} AND state = 'WAITING'
                AND EXISTS (
                  SELECT FROM bench_results
                  WHERE bench_results.workspace_id = waiting.workspace_id
                    AND bench_results.id = waiting.bench_result_id
                    AND bench_results.state IN ('PENDING', 'PREPARING')
                    AND bench_results.stop_asked_at IS NULL)
              ORDER BY created_at, slot LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING ${shardColumns}`,
        )
        return leased
      }),

    report: (caller, shardId, { state, message }) =>
      database.asCallerSql(caller, async (client) => {
        const hasEnded = state === 'DONE' || state === 'FAILED'
        await execute(
          client,
          sql`UPDATE bench_shards SET state = ${state}, message = ${storableText(message)}, last_seen_at = now(),
              ended_at = ${hasEnded ? sql`now()` : sql`NULL`}
            WHERE id = ${shardId} AND ${isShardOpen} AND state <> 'WAITING'`,
        )
        await execute(
          client,
          sql`UPDATE load_generators SET last_seen_at = now()
            WHERE (workspace_id, id) = (
              SELECT workspace_id, load_generator_id FROM bench_shards WHERE id = ${shardId})`,
        )
      }),

    change: (caller, id, decide) =>
      database.asCallerSql(caller, async (client) => {
        const [run] = await queryRows<BenchResult>(
          client,
          sql`SELECT ${columns} FROM bench_results WHERE id = ${id} FOR UPDATE`,
        )
        if (run === undefined || run.endedAt !== null) return run
        mustWrite(caller, run.workspaceId)
        // Locked as well: what a generator reports comes before this, or after it.
        const shards = await queryRows<BenchShard>(
          client,
          sql`SELECT ${shardColumns} FROM bench_shards WHERE bench_result_id = ${id} ORDER BY slot FOR UPDATE`,
        )
        return apply(client, run, decide(run, shards))
      }),

    addSamples: (caller, shard, samples) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, shard.workspaceId)
        const rows = samples.map(({ exchange, at, errorClass, message, ...rest }) => ({
          ...rest,
          error_class: errorClass,
          message: storableText(message),
          at: at.toISOString(),
          exchange,
        }))
        await execute(
          client,
          sql`INSERT INTO bench_samples (workspace_id, id, project_id, bench_result_id, shard_id, action, profile,
              error_class, message, at, exchange)
            SELECT ${shard.workspaceId}, id, ${shard.projectId}, ${shard.benchResultId}, ${shard.id}, action,
              profile, error_class, message, at, exchange
            FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS row(id text, action int, profile int,
              error_class text, message text, at timestamptz, exchange jsonb)
            WHERE (SELECT count(*) FROM bench_samples
              WHERE workspace_id = ${shard.workspaceId} AND bench_result_id = ${shard.benchResultId}) < ${samplesMax}
            ON CONFLICT (workspace_id, id) DO NOTHING`,
        )
      }),

    listSamples: (caller, benchResultId, limit) =>
      database.asCallerSql(caller, (client) =>
        queryRows<BenchSample>(
          client,
          sql`SELECT ${sampleColumns} FROM bench_samples WHERE bench_result_id = ${benchResultId}
            ORDER BY at, id LIMIT ${limit}`,
        ),
      ),
  }
}

function shardsOf(client: ClientBase, benchResultId: string): Promise<BenchShard[]> {
  return queryRows<BenchShard>(
    client,
    sql`SELECT ${shardColumns} FROM bench_shards WHERE bench_result_id = ${benchResultId} ORDER BY slot`,
  )
}

async function apply(
  client: ClientBase,
  run: BenchResult,
  { run: to, shards, events }: BenchChange,
): Promise<BenchResult> {
  for (const shard of shards) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
    await execute(
      client,
      sql`UPDATE bench_shards SET state = coalesce(${shard.state ?? null}, state),
          message = coalesce(${shard.message ?? null}, message),
          share_index = ${shard.shareIndex === undefined ? sql`share_index` : sql`${shard.shareIndex}::int`},
          share_count = ${shard.shareCount === undefined ? sql`share_count` : sql`${shard.shareCount}::int`},
          ended_at = CASE WHEN coalesce(${shard.state ?? null}, state) IN ('DONE', 'FAILED', 'LOST')
            THEN coalesce(ended_at, now()) END
        WHERE workspace_id = ${run.workspaceId} AND id = ${shard.id}`,
    )
  }
  if (Object.keys(to).length === 0 && events.length === 0) return run
  const changed = { ...run, ...to, events: [...run.events, ...events].slice(0, eventsMax) }
  const [stored] = await queryRows<BenchResult>(
    client,
    sql`UPDATE bench_results SET state = ${changed.state}, message = ${storableText(changed.message)},
        events = ${storableJson(changed.events)}::jsonb, shares_version = ${changed.sharesVersion},
        is_degraded = ${changed.isDegraded}, stop_asked_at = ${changed.stopAskedAt},
        started_at = ${changed.startedAt}, ended_at = ${changed.endedAt}
      WHERE workspace_id = ${run.workspaceId} AND id = ${run.id}
      RETURNING ${columns}`,
  )
  return stored ?? changed
}
