import type { Benchmark, BenchmarkStore, HistoryPoint } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { containing, nothing, queryRows, sql, startAfter } from '../sql.ts'

const columns = sql`benchmarks.id, benchmarks.workspace_id AS "workspaceId", benchmarks.project_id AS "projectId",
  benchmarks.uri, benchmarks.name, benchmarks.instrument, benchmarks.metric, benchmarks.better_when AS "betterWhen",
  benchmarks.created_at AS "createdAt"`

type ListedBenchmark = Awaited<ReturnType<BenchmarkStore['list']>>[number]

export function benchmarkStore(database: Database): BenchmarkStore {
  return {
    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [benchmark] = await queryRows<Benchmark>(
          client,
          sql`SELECT ${columns} FROM benchmarks WHERE benchmarks.id = ${id}`,
        )
        return benchmark
      }),

    // A uri may have been measured by several instruments: the one that came last is meant.
    findByUri: (caller, projectId, uri) =>
      database.asCallerSql(caller, async (client) => {
        const [benchmark] = await queryRows<Benchmark>(
          client,
          sql`SELECT ${columns} FROM benchmarks WHERE project_id = ${projectId} AND uri = ${uri}
            ORDER BY created_at DESC, id DESC LIMIT 1`,
        )
        return benchmark
      }),

    list: (caller, projectId, page, filter) => {
      const pattern = filter?.search === undefined ? undefined : containing(filter.search)
      return database.asCallerSql(caller, (client) =>
        queryRows<ListedBenchmark>(
          client,
          sql`SELECT ${columns}, latest.value AS "lastValue", latest.unit AS "lastUnit", latest.run_id AS "lastRunId",
              latest.created_at AS "lastRunAt",
              (SELECT count(*) FROM benchmark_results WHERE benchmark_id = benchmarks.id) AS "runCount"
            FROM benchmarks
            CROSS JOIN LATERAL (
              SELECT value, unit, run_id, created_at FROM benchmark_results
              WHERE benchmark_id = benchmarks.id ORDER BY created_at DESC, run_id DESC LIMIT 1
            ) AS latest
            WHERE benchmarks.project_id = ${projectId}
            ${pattern === undefined ? nothing : sql`AND (benchmarks.uri ILIKE ${pattern} OR benchmarks.name ILIKE ${pattern})`}
            ${startAfter(page.after, sql`benchmarks.created_at, benchmarks.id`)}
            ORDER BY benchmarks.created_at DESC, benchmarks.id DESC LIMIT ${page.limit + 1}`,
        ),
      )
    },

    history: (caller, benchmarkId, options) =>
      database.asCallerSql(caller, (client) =>
        queryRows<HistoryPoint>(
          client,
          sql`SELECT runs.id AS "runId", runs.branch, runs.commit_hash AS "commitHash",
              runs.commit_message AS "commitMessage", runs.committed_at AS "committedAt",
              runs.created_at AS "createdAt", coalesce(environments.facts, '{}') AS environment,
              benchmark_results.value, benchmark_results.unit, benchmark_results.stats
            FROM benchmark_results
            JOIN runs ON runs.workspace_id = benchmark_results.workspace_id AND runs.id = benchmark_results.run_id
            LEFT JOIN environments
              ON environments.workspace_id = runs.workspace_id AND environments.id = runs.environment_id
            WHERE benchmark_results.benchmark_id = ${benchmarkId}
            ${options.branch === undefined ? nothing : sql`AND runs.branch = ${options.branch}`}
            ORDER BY benchmark_results.created_at DESC, benchmark_results.run_id DESC LIMIT ${options.limit}`,
        ),
      ),
  }
}
