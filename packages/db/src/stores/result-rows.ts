import type { NewResult } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { encodeRounds } from '../rounds.ts'
import { execute, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'
import { benchmarkKey, ensureBenchmarks, type KnownBenchmark } from './benchmark-ids.ts'
import { copyResultRows } from './copy-result-rows.ts'
import { laterCounts, type ResultRow, type ResultRun } from './result-row.ts'

/** From here on, what COPY costs to begin with pays. */
const rowsToCopy = 1_000

/**
 * Stores the results of a run and the benchmarks that are new in its project. Of several results of one benchmark the
 * last one counts, also when an earlier file of the run had one; but one under the uri that the benchmark has now goes
 * before one under a uri that it had.
 */
export async function insertResults(client: ClientBase, run: ResultRun, results: NewResult[]): Promise<void> {
  const byKey = new Map<string, NewResult>()
  for (const result of results) {
    const storable = {
      ...result,
      uri: storableText(result.uri),
      name: storableText(result.name),
      metric: storableText(result.metric),
    }
    byKey.set(benchmarkKey(storable), storable)
  }
  // In one order everywhere, so that two runs that add the same benchmarks wait for, not on, each other.
  const keys = [...byKey.keys()].toSorted()
  const benchmarks = await ensureBenchmarks(
    client,
    run,
    keys.flatMap((key) => byKey.get(key) ?? []),
  )
  const rows = rowsOf(byKey, benchmarks)
  if (rows.length === 0) return
  await (rows.length < rowsToCopy ? insertResultRows : copyResultRows)(client, run, rows)
}

/** One for each benchmark, in the order of the table's key. */
function rowsOf(
  byKey: ReadonlyMap<string, NewResult>,
  benchmarks: ReadonlyMap<string, KnownBenchmark>,
): ResultRow[] {
  const byBenchmark = new Map<string, NewResult>()
  for (const [key, result] of byKey) {
    const known = benchmarks.get(key)
    if (known === undefined) throw new Error(`Benchmark ${result.uri} is gone`)
    if (!(known.isFormerUri && byBenchmark.has(known.id))) byBenchmark.set(known.id, result)
  }
  return [...byBenchmark.keys()].toSorted().flatMap((benchmarkId) => {
    const result = byBenchmark.get(benchmarkId)
    return result === undefined ? [] : rowOf(benchmarkId, result)
  })
}

function rowOf(
  benchmarkId: string,
  { value, unit, stats, metrics, roundValues = [], processValues }: NewResult,
): ResultRow {
  return {
    benchmarkId,
    value,
    unit: storableText(unit),
    stats: storableJson(stats),
    metrics: storableJson(metrics),
    rounds: roundValues.length === 0 ? null : encodeRounds(roundValues),
    processValues: `{${(processValues ?? []).map((each) => each ?? 'NULL').join(',')}}`,
  }
}

async function insertResultRows(client: ClientBase, run: ResultRun, rows: ResultRow[]): Promise<void> {
  await execute(
    client,
    sql`INSERT INTO benchmark_results
        (workspace_id, run_id, benchmark_id, value, unit, stats, metrics, rounds, process_values, created_at)
      SELECT ${run.workspaceId}, ${run.runId}, row.benchmark_id, row.value, row.unit, row.stats::jsonb,
        row.metrics::jsonb, row.rounds, row.process_values::double precision[], ${run.createdAt}::timestamptz
      FROM unnest(
        ${rows.map((row) => row.benchmarkId)}::text[],
        ${rows.map((row) => row.value)}::double precision[],
        ${rows.map((row) => row.unit)}::text[],
        ${rows.map((row) => row.stats)}::text[],
        ${rows.map((row) => row.metrics)}::text[],
        ${rows.map((row) => row.rounds)}::bytea[],
        ${rows.map((row) => row.processValues)}::text[]
      ) AS row (benchmark_id, value, unit, stats, metrics, rounds, process_values)
      ${laterCounts(run)}`,
  )
}
