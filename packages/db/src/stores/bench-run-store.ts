import type {
  BenchAction,
  BenchChange,
  BenchPlan,
  BenchResult,
  BenchRunFilter,
  BenchRunStore,
  BenchSample,
  BenchShard,
  LoadGenerator,
  RunEvent,
  Watched,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { containing, execute, nothing, queryRows, sql, startAfter, type Sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'
import { tellOfRun } from './outbox.ts'
import { addContainers } from './series-store.ts'

const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", scenario_id AS "scenarioId",
  scenario_version AS "scenarioVersion", name, state, message, duration_ms::float8 AS "durationMs", events,
  shares_version AS "sharesVersion", is_degraded AS "isDegraded", stop_asked_at AS "stopAskedAt",
  task_id AS "taskId", bench_report_id AS "benchReportId", imported_from AS "importedFrom", tags,
  is_baseline AS "isBaseline", agent_wait_ms AS "agentWaitMs",
  users_max AS "usersMax", created_by AS "createdBy", created_at AS "createdAt", started_at AS "startedAt",
  ended_at AS "endedAt"`

const shardColumns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId",
  bench_result_id AS "benchResultId", slot, agent_group AS "agentGroup", state,
  load_generator_id AS "loadGeneratorId", share_index AS "shareIndex", share_count AS "shareCount",
  first_share_index AS "firstShareIndex", first_share_count AS "firstShareCount", engines, message,
  created_at AS "createdAt", last_seen_at AS "lastSeenAt", ended_at AS "endedAt"`

const sampleColumns = sql`id, action, profile, error_class AS "errorClass", message, at, exchange`

const isOpen = sql`state IN ('PENDING', 'PREPARING', 'RUNNING', 'STOPPING')`
const isShardOpen = sql`state IN ('WAITING', 'PREPARING', 'READY', 'RUNNING')`

/** Events of a run that are kept; what comes after is in the logs. */
const eventsMax = 500
const samplesMax = 2000
/** Workers look every second: who comes after so long comes after a break. */
const breakSeconds = 5

export function benchRunStore(database: Database): BenchRunStore {
  return {
    create: (caller, { plan, ...run }, shards) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, run.workspaceId)
        const [created] = await queryRows<BenchResult>(
          client,
          sql`INSERT INTO bench_results (workspace_id, id, project_id, scenario_id, scenario_version, name,
              duration_ms, message, plan, task_id, bench_report_id, agent_wait_ms, users_max, created_by)
            VALUES (${run.workspaceId}, ${run.id}, ${run.projectId}, ${run.scenarioId}, ${run.scenarioVersion},
              ${storableText(run.name)}, ${run.durationMs}, 'Waiting for agents.', ${storableJson(plan)}::jsonb,
              ${run.taskId}, ${run.benchReportId}, ${run.agentWaitMs}, ${run.usersMax ?? 0}, ${caller.principal.userId})
            RETURNING ${columns}`,
        )
        if (created === undefined) throw new TypeError('The run was stored, and is not there')
        for (const [slot, { id, agentGroup, shareIndex, shareCount, engines }] of shards.entries()) {
          // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
          await execute(
            client,
            sql`INSERT INTO bench_shards (workspace_id, id, project_id, bench_result_id, slot, agent_group,
                share_index, share_count, engines)
              VALUES (${run.workspaceId}, ${id}, ${run.projectId}, ${run.id}, ${slot}, ${agentGroup},
                ${shareIndex}, ${shareCount}, ${engines}::text[])`,
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

    list: (caller, filter, page) =>
      database.asCallerSql(caller, (client) => {
        const time = timeOf(filter)
        return queryRows<BenchResult>(
          client,
          sql`SELECT ${columns} FROM bench_results WHERE project_id = ${filter.projectId} ${fitting(filter)}
            ${startAfter(page.after, sql`${time}, id`)}
            ORDER BY ${time} DESC, id DESC LIMIT ${page.limit + 1}`,
        )
      }),

    findBaseline: (caller, scenarioId) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<BenchResult>(
          client,
          sql`SELECT ${columns} FROM bench_results WHERE scenario_id = ${scenarioId} AND is_baseline
            ORDER BY created_at DESC LIMIT 1`,
        )
        return found
      }),

    update: (caller, id, { name, tags, isBaseline }) =>
      database.asCallerSql(caller, async (client) => {
        // Of two runs of a scenario that are made its baseline at once, the second is to see the first.
        if (isBaseline === true)
          await execute(
            client,
            sql`SELECT pg_advisory_xact_lock(hashtext('flamegate.baseline.' || scenario_id))
              FROM bench_results WHERE id = ${id}`,
          )
        const [run] = await queryRows<BenchResult>(
          client,
          sql`SELECT ${columns} FROM bench_results WHERE id = ${id} FOR UPDATE`,
        )
        if (run === undefined) return undefined
        mustWrite(caller, run.workspaceId)
        if (isBaseline === true)
          await execute(
            client,
            sql`UPDATE bench_results SET is_baseline = false
              WHERE workspace_id = ${run.workspaceId} AND scenario_id = ${run.scenarioId} AND is_baseline AND id <> ${id}`,
          )
        const [updated] = await queryRows<BenchResult>(
          client,
          sql`UPDATE bench_results SET name = ${storableText(name ?? run.name)},
              tags = ${storableJson(tags ?? run.tags)}::jsonb, is_baseline = ${isBaseline ?? run.isBaseline}
            WHERE workspace_id = ${run.workspaceId} AND id = ${id} RETURNING ${columns}`,
        )
        return updated
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [run] = await queryRows<{ workspaceId: string }>(
          client,
          sql`SELECT workspace_id AS "workspaceId" FROM bench_results WHERE id = ${id} AND NOT (${isOpen})`,
        )
        if (run === undefined) return false
        mustWrite(caller, run.workspaceId)
        const count = await execute(
          client,
          sql`DELETE FROM bench_results WHERE workspace_id = ${run.workspaceId} AND id = ${id} AND NOT (${isOpen})`,
        )
        return count > 0
      }),

    listOpen: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const open = await queryRows<{ id: string }>(
          client,
          sql`SELECT id FROM bench_results WHERE workspace_id = ${workspaceId} AND ${isOpen} ORDER BY created_at, id`,
        )
        return open.map(({ id }) => id)
      }),

    lastOf: (caller, scenarioIds) =>
      database.asCallerSql(caller, async (client) => {
        const runs = await queryRows<BenchResult & { scenarioId: string }>(
          client,
          sql`SELECT last.* FROM unnest(${[...scenarioIds]}::text[]) AS wanted (id), LATERAL (
              SELECT ${columns} FROM bench_results WHERE scenario_id = wanted.id
              ORDER BY created_at DESC, id DESC LIMIT 1
            ) AS last`,
        )
        return new Map(runs.map((run) => [run.scenarioId, run]))
      }),

    listShards: (caller, benchResultId) =>
      database.asCallerSql(caller, (client) => shardsOf(client, benchResultId)),

    countShards: (caller, workspaceId, agentGroup) =>
      database.asCallerSql(caller, async (client) => {
        const [counts] = await queryRows<{ open: number; waiting: number }>(
          client,
          sql`SELECT count(*)::int AS open, count(*) FILTER (WHERE state = 'WAITING')::int AS waiting
            FROM bench_shards
            WHERE workspace_id = ${workspaceId} AND agent_group = ${agentGroup} AND ${isShardOpen}`,
        )
        return counts ?? { open: 0, waiting: 0 }
      }),

    findShard: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<BenchShard>(
          client,
          sql`SELECT ${shardColumns} FROM bench_shards WHERE id = ${id}`,
        )
        return found
      }),

    lease: (caller, { id, workspaceId, agentGroup, engines }, askedAt) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        // One that asked before it said that it leaves, and is only served now, has left.
        const [present] = await queryRows(
          client,
          sql`UPDATE load_generators SET last_seen_at = greatest(last_seen_at, now())
            WHERE workspace_id = ${workspaceId} AND id = ${id}
              AND coalesce((facts ->> 'left_at')::timestamptz < ${askedAt}, true)
            RETURNING id`,
        )
        if (present === undefined) return undefined
        const [leased] = await queryRows<BenchShard>(
          client,
          sql`UPDATE bench_shards SET state = 'PREPARING', load_generator_id = ${id}, last_seen_at = now()
            WHERE workspace_id = ${workspaceId} AND id = (
              SELECT id FROM bench_shards AS waiting
              WHERE workspace_id = ${workspaceId} AND agent_group = ${agentGroup} AND state = 'WAITING'
                AND engines <@ ${allowedOf(engines)}::text[]
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

    report: (caller, shardId, { state, message, loadGeneratorId }) =>
      database.asCallerSql(caller, async (client) => {
        const hasEnded = state === 'DONE' || state === 'FAILED'
        // Whoever was silent for a while goes on with what nobody else took since; if it ends, another one may take it.
        const holding = sql`${loadGeneratorId === undefined ? nothing : sql`AND load_generator_id = ${loadGeneratorId}`}
          ${loadGeneratorId === undefined || hasEnded ? sql`AND state <> 'WAITING'` : nothing}`
        await execute(
          client,
          sql`UPDATE bench_shards SET state = ${state}, message = ${storableText(message)}, last_seen_at = now(),
              ended_at = ${hasEnded ? sql`now()` : sql`NULL`}
            WHERE id = ${shardId} AND ${isShardOpen} ${holding}`,
        )
        await execute(
          client,
          sql`UPDATE load_generators SET last_seen_at = now()
            WHERE (workspace_id, id) = (
              SELECT workspace_id, coalesce(${loadGeneratorId ?? null}, load_generator_id)
              FROM bench_shards WHERE id = ${shardId})`,
        )
        return clockOf(client)
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
        return apply(client, run, decide(run, shards, await clockOf(client)))
      }),

    addActions: (caller, id, missing) =>
      database.asCallerSql(caller, async (client) => {
        const [run] = await queryRows<{ workspaceId: string; actions: BenchAction[] }>(
          client,
          sql`SELECT workspace_id AS "workspaceId", plan -> 'actions' AS actions FROM bench_results
            WHERE id = ${id} FOR UPDATE`,
        )
        if (run === undefined) return undefined
        mustWrite(caller, run.workspaceId)
        const added = missing(run.actions)
        if (added.length === 0) return run.actions
        await execute(
          client,
          sql`UPDATE bench_results
            SET plan = jsonb_set(plan, '{actions}', (plan -> 'actions') || ${storableJson([...added])}::jsonb)
            WHERE workspace_id = ${run.workspaceId} AND id = ${id}`,
        )
        const containers = added.flatMap(({ type }, index) =>
          type === 'container' ? [run.actions.length + index] : [],
        )
        await addContainers(client, { workspaceId: run.workspaceId, benchResultId: id }, containers)
        return [...run.actions, ...added]
      }),

    noteWatched: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [watched] = await queryRows<Watched>(
          client,
          sql`UPDATE bench_results SET watched_at = now(), watched_since = CASE
              WHEN watched_at > now() - make_interval(secs => ${breakSeconds}) THEN watched_since
              ELSE now() END
            WHERE id = ${id} AND ${isOpen}
            RETURNING new.watched_since AS since, now() AS now,
              (extract(epoch FROM now() - old.watched_at) * 1000)::float8 AS "pauseMs"`,
        )
        return watched
      }),

    addSamples: (caller, shard, samples) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, shard.workspaceId)
        await insertSamples(client, shard, samples)
      }),

    listSamples: (caller, benchResultId, limit) =>
      database.asCallerSql(caller, (client) =>
        queryRows<BenchSample>(
          client,
          sql`SELECT ${sampleColumns} FROM bench_samples WHERE bench_result_id = ${benchResultId}
            ORDER BY at, id LIMIT ${limit}`,
        ),
      ),

    listSampleIds: (caller, benchResultId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Pick<BenchSample, 'id' | 'action' | 'errorClass' | 'at'>>(
          client,
          sql`SELECT id, action, error_class AS "errorClass", at FROM bench_samples
            WHERE bench_result_id = ${benchResultId} ORDER BY at, id`,
        ),
      ),

    findSample: (caller, benchResultId, id) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<BenchSample>(
          client,
          sql`SELECT ${sampleColumns} FROM bench_samples WHERE bench_result_id = ${benchResultId} AND id = ${id}`,
        )
        return found
      }),
  }
}

function allowedOf(engines: LoadGenerator['engines']): string[] {
  return engines.filter(({ is_allowed: isAllowed }) => isAllowed).map(({ type }) => type)
}

/** By which runs are in order: what was measured elsewhere is older than the run that was made of it. */
function timeOf({ areMeasured = false }: BenchRunFilter): Sql {
  return areMeasured ? sql`started_at` : sql`created_at`
}

function fitting(filter: BenchRunFilter): Sql {
  const { scenarioId, name, tags = [], createdAfter, createdBefore, areMeasured = false } = filter
  const time = timeOf(filter)
  return sql`${scenarioId === undefined ? nothing : sql`AND scenario_id = ${scenarioId}`}
    ${name === undefined ? nothing : sql`AND name ILIKE ${patternOf(name)}`}
    ${tags.length === 0 ? nothing : sql`AND tags @> ${storableJson([...tags])}::jsonb`}
    ${createdAfter === undefined ? nothing : sql`AND ${time} >= ${createdAfter}`}
    ${createdBefore === undefined ? nothing : sql`AND ${time} < ${createdBefore}`}
    ${areMeasured ? sql`AND started_at IS NOT NULL AND ended_at IS NOT NULL` : nothing}`
}

function patternOf({ match, text }: NonNullable<BenchRunFilter['name']>): string {
  const anywhere = containing(text)
  return {
    contains: anywhere,
    starts_with: anywhere.slice(1),
    ends_with: anywhere.slice(0, -1),
    equals: anywhere.slice(1, -1),
  }[match]
}

/** Up to so many of a run; those that are there stay. In the same order everywhere, so that two who tell the same never wait for each other. */
export async function insertSamples(
  client: ClientBase,
  shard: Pick<BenchShard, 'id' | 'workspaceId' | 'projectId' | 'benchResultId'>,
  samples: readonly BenchSample[],
): Promise<void> {
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
      ORDER BY id
      ON CONFLICT (workspace_id, id) DO NOTHING`,
  )
}

/** What time it is for everybody: clocks of processes may be wrong. */
async function clockOf(client: ClientBase): Promise<Date> {
  const [{ now } = { now: new Date() }] = await queryRows<{ now: Date }>(
    client,
    sql`SELECT clock_timestamp() AS now`,
  )
  return now
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
  { run: to, shards, events, hasPassed }: BenchChange,
): Promise<BenchResult> {
  for (const shard of shards) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
    await execute(
      client,
      sql`UPDATE bench_shards SET state = coalesce(${shard.state ?? null}, state),
          message = coalesce(${shard.message ?? null}, message),
          share_index = ${shard.shareIndex === undefined ? sql`share_index` : sql`${shard.shareIndex}::int`},
          share_count = ${shard.shareCount === undefined ? sql`share_count` : sql`${shard.shareCount}::int`},
          first_share_index = coalesce(${shard.firstShareIndex ?? null}, first_share_index),
          first_share_count = coalesce(${shard.firstShareCount ?? null}, first_share_count),
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
  if (changed.state !== run.state) await tellOfRun(client, changed, happeningsOf(changed, hasPassed))
  return stored ?? changed
}

/** What others are to hear of a run that has got into its state just now. */
function happeningsOf({ state }: BenchResult, hasPassed: boolean | undefined): RunEvent[] {
  switch (state) {
    case 'RUNNING':
      return ['test_started']
    case 'FINISHED':
      return [hasPassed === false ? 'test_failed' : 'test_passed', 'test_ended']
    case 'ABORTED':
      // Whoever stops a run by hand wants no verdict of it, but for one that was bad by then.
      return hasPassed === false ? ['test_failed', 'test_ended'] : ['test_ended']
    case 'ERROR':
      return ['test_error', 'test_ended']
    default:
      return []
  }
}
