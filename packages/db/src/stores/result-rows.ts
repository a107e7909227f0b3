import type { NewResult } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { encodeRounds } from '../rounds.ts'
import { execute, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'
import { ensureBenchmarks, type KnownBenchmark } from './benchmark-ids.ts'
import { ByBenchmark } from './by-benchmark.ts'
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
  const last = new ByBenchmark<NewResult>()
  for (const result of results.map(storable)) last.set(result, result)
  const ofRun = oneForEachBenchmark(await withBenchmarks(client, run, last.values()))
  if (ofRun.length < rowsToCopy) {
    if (ofRun.length > 0) await insertResultRows(client, run, ofRun.map(rowOf))
  } else await copyResultRows(client, run, ofRun, rowOf)
}

function storable(result: NewResult): NewResult {
  const [uri, name, metric] = [
    storableText(result.uri),
    storableText(result.name),
    storableText(result.metric),
  ]
  // Nearly always as it came: not to make a hundred thousand objects for nothing.
  if (uri === result.uri && name === result.name && metric === result.metric) return result
  return { ...result, uri, name, metric }
}

interface ResultOf {
  benchmark: KnownBenchmark
  result: NewResult
}

async function withBenchmarks(client: ClientBase, run: ResultRun, results: NewResult[]): Promise<ResultOf[]> {
  const benchmarks = await ensureBenchmarks(client, run, results)
  return benchmarks.flatMap((benchmark, index) => {
    const result = results[index]
    return result === undefined ? [] : { benchmark, result }
  })
}

/** In the order of the table's key. */
function oneForEachBenchmark(results: readonly ResultOf[]): ResultOf[] {
  const byBenchmark = new Map<string, ResultOf>()
  for (const each of results) {
    const { id, isFormerUri } = each.benchmark
    if (!(isFormerUri && byBenchmark.has(id))) byBenchmark.set(id, each)
  }
  return [...byBenchmark.keys()].toSorted().flatMap((id) => byBenchmark.get(id) ?? [])
}

function rowOf({ benchmark, result }: ResultOf): ResultRow {
  const { value, unit, stats, metrics, roundValues = [], processValues } = result
  return {
    benchmarkId: benchmark.id,
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
