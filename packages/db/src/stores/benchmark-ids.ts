import { newId } from '@flamegate/contract'
import type { NewResult } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { execute, queryRows, sql } from '../sql.ts'
import type { ByBenchmark } from './by-benchmark.ts'

/** A result and the benchmark that it is of. */
export interface ResultOf {
  benchmarkId: string
  /** The benchmark had the uri of the result before, and has another one now. */
  isFormerUri: boolean
  result: NewResult
}

/** Where benchmarks belong. */
interface Place {
  workspaceId: string
  projectId: string
}

/** Of benchmarks of one instrument and metric: the same place in both lists is a benchmark. */
interface BenchmarkIds {
  instrument: string
  metric: string
  uris: string[]
  ids: string[]
}

const rowsPerStatement = 5_000

/**
 * The benchmark of each result, in any order. A uri that a benchmark had before is as good as the one it has now; those
 * that are new in the project are made. Takes the results out of the map.
 */
export async function ensureBenchmarks(
  client: ClientBase,
  place: Place,
  results: ByBenchmark<NewResult>,
  ids: readonly BenchmarkIds[],
): Promise<ResultOf[]> {
  const known = await takeKnown(client, place, results, ids)
  const missing = results.values()
  if (missing.length === 0) return known
  await makeBenchmarks(client, place, missing)
  // Asked for again, and not RETURNING: another run may have made some of them at the same moment.
  const made = await takeKnown(client, place, results, await readIds(client, place, missing.length))
  const [gone] = results.values()
  if (gone !== undefined) throw new Error(`Benchmark ${gone.uri} is gone`)
  return [...known, ...made]
}

async function makeBenchmarks(
  client: ClientBase,
  place: Place,
  results: readonly NewResult[],
): Promise<void> {
  // In one order everywhere, so that two runs that add the same benchmarks wait for, not on, each other.
  const sorted = results.toSorted(
    (a, b) => compare(a.uri, b.uri) || compare(a.instrument, b.instrument) || compare(a.metric, b.metric),
  )
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const part = sorted.slice(start, start + rowsPerStatement)
    await execute(
      client,
      sql`INSERT INTO benchmarks (workspace_id, id, project_id, uri, name, instrument, metric, better_when)
        SELECT ${place.workspaceId}, row.id, ${place.projectId}, row.uri, row.name, row.instrument, row.metric,
          row.better_when
        FROM unnest(
          ${part.map(() => newId('benchmark'))}::text[],
          ${part.map((row) => row.uri)}::text[],
          ${part.map((row) => row.name)}::text[],
          ${part.map((row) => row.instrument)}::text[],
          ${part.map((row) => row.metric)}::text[],
          ${part.map((row) => row.betterWhen)}::text[]
        ) AS row (id, uri, name, instrument, metric, better_when)
        ON CONFLICT (project_id, uri, instrument, metric) DO NOTHING`,
    )
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Those of which there are benchmarks. */
async function takeKnown(
  client: ClientBase,
  place: Place,
  results: ByBenchmark<NewResult>,
  listed: readonly BenchmarkIds[],
): Promise<ResultOf[]> {
  const known: ResultOf[] = []
  for (const { instrument, metric, uris, ids } of listed) {
    const byUri = results.ofMetric(instrument, metric)
    for (const [index, uri] of uris.entries()) {
      const result = byUri.get(uri)
      if (result !== undefined) known.push({ benchmarkId: ids[index] ?? '', isFormerUri: false, result })
    }
  }
  // Mostly all of them: to take them out one by one takes as long as to find them.
  if (known.length === results.size) {
    results.clear()
    return known
  }
  for (const { result } of known) results.delete(result)
  const others = results.values()
  for (let start = 0; start < others.length; start += rowsPerStatement) {
    const part = others.slice(start, start + rowsPerStatement)
    // oxlint-disable-next-line no-await-in-loop -- the connection does one thing after the other
    const found = await findSome(client, place, part)
    for (const [index, result] of part.entries()) {
      const { id = null, isFormerUri = false } = found[index] ?? {}
      if (id === null) continue
      known.push({ benchmarkId: id, isFormerUri, result })
      results.delete(result)
    }
  }
  return known
}

/** Their ids and uris are one text each for an instrument and metric, which has to have an end. */
const readAtOnceMax = 400_000

/**
 * The ids of all benchmarks of a project, where it has at most twice as many as are asked for: they are read in a fourth of
 * the time that it takes to look up each. Empty otherwise. In the order of results' key, as far as they are of one metric.
 */
export async function readIds(
  client: ClientBase,
  { projectId }: Place,
  askedFor: number,
): Promise<BenchmarkIds[]> {
  if (askedFor <= rowsPerStatement) return []
  const most = Math.min(2 * askedFor, readAtOnceMax)
  const metrics = await queryRows<BenchmarkIds>(
    client,
    sql`SELECT instrument, metric, json_agg(uri) AS uris, json_agg(id) AS ids
      FROM (SELECT instrument, metric, uri, id FROM benchmarks WHERE project_id = ${projectId}
        ORDER BY id LIMIT ${most + 1}) AS benchmark
      GROUP BY instrument, metric`,
  )
  return metrics.reduce((count, { ids }) => count + ids.length, 0) > most ? [] : metrics
}

/**
 * One look into an index for each result, which LIMIT leaves no other way for: the planner's picture of a table that has
 * just been filled is of an empty one, and with a list of uris it read the whole project, holding every row against each
 * of two thousand. As JSON, because the driver takes ten times as long to write a list of texts.
 */
async function findSome(
  client: ClientBase,
  { workspaceId, projectId }: Place,
  results: readonly NewResult[],
): Promise<{ id: string | null; isFormerUri: boolean }[]> {
  return queryRows(
    client,
    sql`SELECT coalesce(own.id, former.id) AS id, own.id IS NULL AS "isFormerUri"
      FROM ROWS FROM (
        json_array_elements_text(${JSON.stringify(results.map(({ uri }) => uri))}::json),
        json_array_elements_text(${JSON.stringify(results.map(({ instrument }) => instrument))}::json),
        json_array_elements_text(${JSON.stringify(results.map(({ metric }) => metric))}::json)
      ) WITH ORDINALITY AS asked (uri, instrument, metric, place)
      LEFT JOIN LATERAL (
        SELECT id FROM benchmarks WHERE project_id = ${projectId} AND uri = asked.uri
          AND instrument = asked.instrument AND metric = asked.metric LIMIT 1
      ) AS own ON true
      LEFT JOIN LATERAL (
        SELECT benchmark_id AS id FROM benchmark_uris WHERE own.id IS NULL AND workspace_id = ${workspaceId}
          AND project_id = ${projectId} AND uri = asked.uri AND instrument = asked.instrument
          AND metric = asked.metric LIMIT 1
      ) AS former ON true
      ORDER BY asked.place`,
  )
}
