import type { NewResult } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { encodeRounds } from '../rounds.ts'
import { execute, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'
import { ensureBenchmarks, readIds, type ResultOf } from './benchmark-ids.ts'
import { ByBenchmark } from './by-benchmark.ts'
import { copyResultRows } from './copy-result-rows.ts'
import { laterCounts, type ResultRow, type ResultRun } from './result-row.ts'

/** From here on, what COPY costs to begin with pays. */
const rowsToCopy = 1_000

/**
 * Stores the results of a run and the benchmarks that are new in its project. Of several results of one benchmark the
 * last one counts, also when an earlier file of the run had one; but one under the uri that the benchmark has now goes
 * before one under a uri that it had. Gives how many it stored.
 */
export async function insertResults(
  client: ClientBase,
  run: ResultRun,
  results: NewResult[],
): Promise<number> {
  // The database reads while we go through them.
  const ids = readIds(client, run, results.length)
  const last = new ByBenchmark<NewResult>()
  for (const result of results.map(storable)) last.set(result, result)
  const ofRun = oneForEachBenchmark(await ensureBenchmarks(client, run, last, await ids))
  if (ofRun.length < rowsToCopy) {
    if (ofRun.length > 0) await insertResultRows(client, run, ofRun.map(rowOf))
  } else await copyResultRows(client, run, ofRun, rowOf)
  return ofRun.length
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

/** In the order of the table's key. */
function oneForEachBenchmark(results: readonly ResultOf[]): ResultOf[] {
  const sorted = results.toSorted((a, b) => {
    if (a.benchmarkId !== b.benchmarkId) return a.benchmarkId < b.benchmarkId ? -1 : 1
    return Number(a.isFormerUri) - Number(b.isFormerUri)
  })
  return sorted.filter(({ benchmarkId }, index) => benchmarkId !== sorted[index - 1]?.benchmarkId)
}

function rowOf({ benchmarkId, result }: ResultOf): ResultRow {
  const { value, unit, stats, metrics, roundValues = [], processValues } = result
  return {
    benchmarkId,
    value,
    unit: storableText(unit),
    stats: storableJson(stats),
    metrics: storableJson(metrics),
    rounds: roundValues.length === 0 ? null : encodeRounds(roundValues),
    processValues: `{${processValues?.map((each) => each ?? 'NULL').join(',') ?? ''}}`,
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
