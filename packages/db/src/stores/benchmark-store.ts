import {
  Conflict,
  type Benchmark,
  type BenchmarkStore,
  type HistoryPoint,
  type ResultMetric,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { containing, execute, nothing, queryRows, sql, startAfter } from '../sql.ts'
import { readPoints } from './benchmark-points.ts'
import { readSeries } from './benchmark-series.ts'
import { mergeBenchmarks, rememberUri, waitForImports } from './merge-benchmarks.ts'

const columns = sql`benchmarks.id, benchmarks.workspace_id AS "workspaceId", benchmarks.project_id AS "projectId",
  benchmarks.uri, benchmarks.name, benchmarks.instrument, benchmarks.metric, benchmarks.better_when AS "betterWhen",
  benchmarks.created_at AS "createdAt", benchmarks.state, benchmarks.is_critical AS "isCritical",
  benchmarks.threshold_percent AS "thresholdPercent", benchmarks.noise_percent AS "noisePercent",
  benchmarks.noise_runs AS "noiseRuns",
  ARRAY (SELECT benchmark_uris.uri FROM benchmark_uris WHERE benchmark_uris.workspace_id = benchmarks.workspace_id
    AND benchmark_uris.benchmark_id = benchmarks.id ORDER BY benchmark_uris.uri) AS "formerUris"`

// What most people mean by a uri that several instruments measured.
const wallTimeFirst = sql`benchmarks.instrument = 'walltime' DESC, benchmarks.instrument, benchmarks.metric`

type ListedBenchmark = Awaited<ReturnType<BenchmarkStore['list']>>[number]

const trendLength = 20

export function benchmarkStore(database: Database): BenchmarkStore {
  return {
    find: (caller, id) => database.asCallerSql(caller, (client) => findBenchmark(client, id)),

    findByUri: (caller, projectId, uri) =>
      database.asCallerSql(caller, async (client) => {
        const [benchmark] = await queryRows<Benchmark>(
          client,
          sql`SELECT ${columns} FROM benchmarks WHERE benchmarks.project_id = ${projectId}
            AND (benchmarks.uri = ${uri} OR benchmarks.id IN (SELECT benchmark_id FROM benchmark_uris
              WHERE benchmark_uris.project_id = ${projectId} AND benchmark_uris.uri = ${uri}))
            ORDER BY benchmarks.uri = ${uri} DESC, ${wallTimeFirst} LIMIT 1`,
        )
        return benchmark
      }),

    listByUri: (caller, projectId, uri) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Benchmark>(
          client,
          sql`SELECT ${columns} FROM benchmarks WHERE benchmarks.project_id = ${projectId} AND benchmarks.uri = ${uri}
            ORDER BY ${wallTimeFirst}`,
        ),
      ),

    list: (caller, projectId, page, filter) => {
      const pattern = filter?.search === undefined ? undefined : containing(filter.search)
      return database.asCallerSql(caller, (client) =>
        queryRows<ListedBenchmark>(
          client,
          sql`SELECT ${columns}, latest.value AS "lastValue", latest.unit AS "lastUnit", latest.run_id AS "lastRunId",
              latest.created_at AS "lastRunAt",
              (SELECT count(*) FROM benchmark_results WHERE benchmark_id = benchmarks.id) AS "runCount",
              (SELECT count(*) FROM alerts WHERE alerts.benchmark_id = benchmarks.id AND (
                alerts.state = 'open' OR alerts.state = 'muted' AND alerts.muted_until < now())) AS "openAlertCount",
              ARRAY (SELECT value FROM (SELECT value, created_at, run_id FROM benchmark_results
                WHERE benchmark_id = benchmarks.id ORDER BY created_at DESC, run_id DESC LIMIT ${trendLength}) AS newest
                ORDER BY created_at, run_id) AS trend
            FROM benchmarks
            CROSS JOIN LATERAL (
              SELECT value, unit, run_id, created_at FROM benchmark_results
              WHERE benchmark_id = benchmarks.id ORDER BY created_at DESC, run_id DESC LIMIT 1
            ) AS latest
            WHERE benchmarks.project_id = ${projectId}
            ${pattern === undefined ? nothing : sql`AND (benchmarks.uri ILIKE ${pattern} OR benchmarks.name ILIKE ${pattern})`}
            ${filter?.state === undefined ? nothing : sql`AND benchmarks.state = ${filter.state}`}
            ${startAfter(page.after, sql`benchmarks.created_at, benchmarks.id`)}
            ORDER BY benchmarks.created_at DESC, benchmarks.id DESC LIMIT ${page.limit + 1}`,
        ),
      )
    },

    history: (caller, benchmarkId, options) =>
      database.asCallerSql(caller, async (client) => {
        const points = await readPoints(client, benchmarkId, options)
        return { points, environments: await readEnvironments(client, points) }
      }),

    metricsOf: (caller, benchmarkId) =>
      database.asCallerSql(caller, async (client) => {
        const [newest] = await queryRows<{ metrics: ResultMetric[] }>(
          client,
          sql`SELECT metrics FROM benchmark_results WHERE benchmark_id = ${benchmarkId}
            ORDER BY created_at DESC, run_id DESC LIMIT 1`,
        )
        return newest?.metrics ?? []
      }),

    series: (caller, benchmarkIds, window) =>
      database.asCallerSql(caller, (client) => readSeries(client, benchmarkIds, window)),

    update: (caller, id, change) =>
      database.asCallerSql(caller, async (client) => {
        const seen = await findBenchmark(client, id)
        if (!seen) return undefined
        mustWrite(caller, seen.workspaceId)
        const found = await hold(client, seen)
        if (!found) return undefined
        const { name, state, isCritical, thresholdPercent } = { ...found, ...change }
        await execute(
          client,
          sql`UPDATE benchmarks SET name = ${name}, state = ${state}, is_critical = ${isCritical},
              threshold_percent = ${thresholdPercent}
            WHERE workspace_id = ${found.workspaceId} AND id = ${id}`,
        )
        return findBenchmark(client, id)
      }),

    rename: (caller, id, uri) =>
      database.asCallerSql(caller, async (client) => {
        const seen = await findBenchmark(client, id)
        if (!seen || seen.uri === uri) return seen
        mustWrite(caller, seen.workspaceId)
        const found = await hold(client, seen)
        if (!found || found.uri === uri) return found
        const [owner] = await queryRows<{ id: string }>(
          client,
          sql`SELECT benchmark_id AS id FROM benchmark_uris WHERE workspace_id = ${found.workspaceId}
            AND project_id = ${found.projectId} AND uri = ${uri} AND instrument = ${found.instrument}
            AND metric = ${found.metric}`,
        )
        if (owner !== undefined && owner.id !== id) throw new Conflict('uri')
        await execute(
          client,
          sql`UPDATE benchmarks SET uri = ${uri} WHERE workspace_id = ${found.workspaceId} AND id = ${id}`,
        )
        await execute(
          client,
          sql`DELETE FROM benchmark_uris WHERE workspace_id = ${found.workspaceId} AND benchmark_id = ${id}
            AND uri = ${uri}`,
        )
        await rememberUri(client, found, id)
        return findBenchmark(client, id)
      }),

    merge: (caller, id, fromId) =>
      database.asCallerSql(caller, async (client) => {
        const [seen, seenFrom] = [await findBenchmark(client, id), await findBenchmark(client, fromId)]
        if (!seen || !seenFrom) return 0
        mustWrite(caller, seen.workspaceId)
        mustWrite(caller, seenFrom.workspaceId)
        await waitForImports(client, seenFrom)
        const [into, from] = [await findBenchmark(client, id), await findBenchmark(client, fromId)]
        // Somebody else may have merged it just now, into whichever.
        const isThere = from !== undefined && from.id === seenFrom.id && from.id !== into?.id
        return into && isThere ? mergeBenchmarks(client, into, from) : 0
      }),

    noteNoise: async (caller, workspaceId, noise) => {
      if (noise.length === 0) return
      // In one order everywhere, so that two who judge runs of a project wait for, not on, each other.
      const sorted = noise.toSorted((a, b) => (a.benchmarkId < b.benchmarkId ? -1 : 1))
      await database.asCallerSql(caller, (client) =>
        execute(
          client,
          sql`UPDATE benchmarks SET noise_percent = row.percent, noise_runs = row.runs
            FROM unnest(
              ${sorted.map(({ benchmarkId }) => benchmarkId)}::text[],
              ${sorted.map(({ percent }) => percent)}::double precision[],
              ${sorted.map(({ runs }) => runs)}::integer[]
            ) AS row (id, percent, runs)
            WHERE benchmarks.workspace_id = ${workspaceId} AND benchmarks.id = row.id`,
        ),
      )
    },
  }
}

async function findBenchmark(client: ClientBase, id: string): Promise<Benchmark | undefined> {
  const [benchmark] = await queryRows<Benchmark>(
    client,
    // A query of its own inside, which is asked once: with coalesce() alone all benchmarks were held against it, as the
    // policies of a table go before what is not known to keep their secrets.
    sql`SELECT ${columns} FROM benchmarks WHERE benchmarks.id = (
      SELECT coalesce((SELECT benchmark_id FROM merged_benchmarks WHERE id = ${id}), ${id}))`,
  )
  return benchmark
}

/**
 * How it is once nobody else changes it until the transaction ends; undefined when it is gone. Its project is locked first, as by those
 * who merge.
 */
async function hold(
  client: ClientBase,
  { workspaceId, projectId, id }: Benchmark,
): Promise<Benchmark | undefined> {
  await execute(
    client,
    sql`SELECT FROM projects WHERE workspace_id = ${workspaceId} AND id = ${projectId} FOR KEY SHARE`,
  )
  await execute(
    client,
    sql`SELECT FROM benchmarks WHERE workspace_id = ${workspaceId} AND id = ${id} FOR NO KEY UPDATE`,
  )
  const held = await findBenchmark(client, id)
  return held?.id === id ? held : undefined
}

async function readEnvironments(
  client: ClientBase,
  points: readonly HistoryPoint[],
): Promise<Record<string, Record<string, string>>> {
  const ids = new Set(points.map(({ environmentId }) => environmentId))
  const rows = await queryRows<{ id: string; facts: Record<string, string> }>(
    client,
    sql`SELECT id, facts FROM environments WHERE id = ANY (${[...ids]}::text[])`,
  )
  return Object.fromEntries(rows.map(({ id, facts }) => [id, facts]))
}
