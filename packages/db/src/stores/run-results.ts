import type { Result } from '@flamegate/operations/ports'
import type { Caller } from '@flamegate/contract'
import type { Database } from '../database.ts'
import { queryColumns, sql, type Columns } from '../sql.ts'

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

type OfRun = Required<Pick<Result, 'benchmarkId' | 'value' | 'unit' | 'stats' | 'processValues' | 'metrics'>>

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
): Promise<Columns<OfBenchmark>> {
  return database.asCallerSql(caller, (client) =>
    queryColumns<OfBenchmark>(
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
      // As a list, or the planner holds all benchmarks of the project against them, or looks each of those up.
      sql`SELECT id AS "benchmarkId", uri, name, instrument, metric, better_when AS "betterWhen", state,
          is_critical AS "isCritical", threshold_percent AS "thresholdPercent", noise_percent AS "noisePercent",
          noise_runs AS "noiseRuns"
        FROM benchmarks
        WHERE id = ANY (ARRAY (SELECT benchmark_id FROM benchmark_results WHERE run_id = ANY (${runIds}::text[])))
        ORDER BY uri, instrument, metric`,
    ),
  )
}

function readOwn(
  database: Database,
  caller: Caller,
  runId: string,
  withMetrics: boolean,
): Promise<Columns<OfRun>> {
  return database.asCallerSql(caller, (client) =>
    queryColumns<OfRun>(
      client,
      ['benchmarkId', 'value', 'unit', 'stats', 'processValues', 'metrics'],
      sql`SELECT benchmark_id AS "benchmarkId", value, unit, stats, nullif(process_values, '{}') AS "processValues",
          ${withMetrics ? sql`metrics` : sql`'[]'::jsonb AS metrics`}
        FROM benchmark_results WHERE run_id = ${runId}`,
    ),
  )
}

/** Field by field, because there may be ten thousand of them. */
function joined(benchmarks: Columns<OfBenchmark>, own: Columns<OfRun>): Result[] {
  const places = new Map(own.benchmarkId.map((id, place) => [id, place]))
  return benchmarks.benchmarkId.flatMap((benchmarkId, index) => {
    const place = places.get(benchmarkId)
    if (place === undefined) return []
    return {
      benchmarkId,
      uri: benchmarks.uri[index]!,
      name: benchmarks.name[index]!,
      instrument: benchmarks.instrument[index]!,
      metric: benchmarks.metric[index]!,
      betterWhen: benchmarks.betterWhen[index]!,
      state: benchmarks.state[index]!,
      isCritical: benchmarks.isCritical[index]!,
      thresholdPercent: benchmarks.thresholdPercent[index]!,
      noisePercent: benchmarks.noisePercent[index]!,
      noiseRuns: benchmarks.noiseRuns[index]!,
      value: own.value[place]!,
      unit: own.unit[place]!,
      stats: own.stats[place]!,
      processValues: own.processValues[place] ?? null,
      metrics: own.metrics[place]!,
    }
  })
}
