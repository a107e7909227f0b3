import type { Result } from '@flamegate/operations/ports'
import type { Caller } from '@flamegate/contract'
import type { Database } from '../database.ts'
import { queryManyRows, sql } from '../sql.ts'

type OfBenchmark = Pick<
  Result,
  | 'benchmarkId'
  | 'uri'
  | 'name'
  | 'instrument'
  | 'metric'
  | 'betterWhen'
  | 'state'
  | 'isCritical'
  | 'thresholdPercent'
  | 'noisePercent'
  | 'noiseRuns'
>

type OfRun = Pick<Result, 'benchmarkId' | 'value' | 'unit' | 'stats' | 'processValues' | 'metrics'>

/**
 * The results of each run, by uri. What they say of their benchmarks is read once for all runs and joined here: for ten
 * thousand results the database needs longer to join than to read them, and benchmarks are most of what it sends. A
 * benchmark that another call makes in between is left out, as if it had come later.
 */
export async function readResults(
  database: Database,
  caller: Caller,
  runIds: readonly string[],
  { withMetrics }: { withMetrics: boolean },
): Promise<Result[][]> {
  const [benchmarks, ...results] = await Promise.all([
    readBenchmarks(database, caller, runIds),
    ...runIds.map((runId) => readOwn(database, caller, runId, withMetrics)),
  ])
  return results.map((own) => joined(benchmarks, own))
}

function readBenchmarks(
  database: Database,
  caller: Caller,
  runIds: readonly string[],
): Promise<OfBenchmark[]> {
  return database.asCallerSql(caller, (client) =>
    queryManyRows<OfBenchmark>(
      client,
      [
        'benchmarkId',
        'uri',
        'name',
        'instrument',
        'metric',
        'betterWhen',
        'state',
        'isCritical',
        'thresholdPercent',
        'noisePercent',
        'noiseRuns',
      ],
      // Apart, or the planner looks up each benchmark of the project in the results.
      sql`WITH measured AS MATERIALIZED (
          SELECT DISTINCT workspace_id, benchmark_id FROM benchmark_results WHERE run_id = ANY (${runIds}::text[])
        )
        SELECT benchmarks.id AS "benchmarkId", benchmarks.uri, benchmarks.name, benchmarks.instrument,
          benchmarks.metric, benchmarks.better_when AS "betterWhen", benchmarks.state,
          benchmarks.is_critical AS "isCritical", benchmarks.threshold_percent AS "thresholdPercent",
          benchmarks.noise_percent AS "noisePercent", benchmarks.noise_runs AS "noiseRuns"
        FROM measured JOIN benchmarks
          ON benchmarks.workspace_id = measured.workspace_id AND benchmarks.id = measured.benchmark_id
        ORDER BY benchmarks.uri, benchmarks.instrument, benchmarks.metric`,
    ),
  )
}

function readOwn(database: Database, caller: Caller, runId: string, withMetrics: boolean): Promise<OfRun[]> {
  return database.asCallerSql(caller, (client) =>
    queryManyRows<OfRun>(
      client,
      ['benchmarkId', 'value', 'unit', 'stats', 'processValues', 'metrics'],
      sql`SELECT benchmark_id AS "benchmarkId", value, unit, stats, nullif(process_values, '{}') AS "processValues",
          ${withMetrics ? sql`metrics` : sql`'[]'::jsonb AS metrics`}
        FROM benchmark_results WHERE run_id = ${runId}`,
    ),
  )
}

/** Field by field, because there may be ten thousand of them. */
function joined(benchmarks: readonly OfBenchmark[], results: readonly OfRun[]): Result[] {
  const byBenchmark = new Map(results.map((result) => [result.benchmarkId, result]))
  return benchmarks.flatMap((benchmark) => {
    const own = byBenchmark.get(benchmark.benchmarkId)
    if (own === undefined) return []
    return {
      benchmarkId: benchmark.benchmarkId,
      uri: benchmark.uri,
      name: benchmark.name,
      instrument: benchmark.instrument,
      metric: benchmark.metric,
      betterWhen: benchmark.betterWhen,
      state: benchmark.state,
      isCritical: benchmark.isCritical,
      thresholdPercent: benchmark.thresholdPercent,
      noisePercent: benchmark.noisePercent,
      noiseRuns: benchmark.noiseRuns,
      value: own.value,
      unit: own.unit,
      stats: own.stats,
      processValues: own.processValues,
      metrics: own.metrics,
    }
  })
}
