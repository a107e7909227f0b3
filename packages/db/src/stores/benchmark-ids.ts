import { newId } from '@flamegate/contract'
import type { NewResult } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { execute, queryRows, sql } from '../sql.ts'
import { ByBenchmark } from './by-benchmark.ts'

/** The benchmark that a result is of. */
export interface KnownBenchmark {
  id: string
  /** It had the uri of the result before, and has another one now. */
  isFormerUri: boolean
}

/** Where benchmarks belong. */
interface Place {
  workspaceId: string
  projectId: string
}

const rowsPerStatement = 5_000

/**
 * The benchmark of each result. A uri that a benchmark had before is as good as the one it has now; those that are new in
 * the project are made. No two results may have the same uri, instrument and metric.
 */
export async function ensureBenchmarks(
  client: ClientBase,
  place: Place,
  results: readonly NewResult[],
): Promise<KnownBenchmark[]> {
  const known = await findBenchmarks(client, place, results)
  const missing = results.filter((_, index) => known[index] === undefined)
  if (missing.length > 0) {
    await makeBenchmarks(client, place, missing)
    // Asked for again, and not RETURNING: another run may have made some of them at the same moment.
    const made = await findBenchmarks(client, place, missing)
    let next = 0
    for (const index of known.keys()) known[index] ??= made[next++]
  }
  return known.map((benchmark, index) => {
    if (benchmark === undefined) throw new Error(`Benchmark ${results[index]?.uri} is gone`)
    return benchmark
  })
}

async function makeBenchmarks(
  client: ClientBase,
  place: Place,
  results: readonly NewResult[],
): Promise<void> {
  // In one order everywhere, so that two runs that add the same benchmarks wait for, not on, each other.
  const sorted = results.toSorted((a, b) => compare(a.uri, b.uri) || compare(a.metric, b.metric))
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

/** The benchmark of each result, or undefined. */
async function findBenchmarks(
  client: ClientBase,
  place: Place,
  results: readonly NewResult[],
): Promise<(KnownBenchmark | undefined)[]> {
  const ids = await readIds(client, place, results.length)
  const known = results.map((result) => ids.get(result))
  const others = results.filter((_, index) => known[index] === undefined)
  const found: (KnownBenchmark | undefined)[] = []
  for (let start = 0; start < others.length; start += rowsPerStatement) {
    // oxlint-disable-next-line no-await-in-loop -- the connection does one thing after the other
    found.push(...(await findSome(client, place, others.slice(start, start + rowsPerStatement))))
  }
  let next = 0
  return known.map((id) => (id === undefined ? found[next++] : { id, isFormerUri: false }))
}

/** Their ids and uris are one text each for an instrument and metric, which has to have an end. */
const readAtOnceMax = 400_000

/**
 * The ids of all benchmarks of a project, where it has few more than are asked for: they are read in a fourth of the time
 * that it takes to look up each. Empty otherwise.
 */
async function readIds(
  client: ClientBase,
  { projectId }: Place,
  askedFor: number,
): Promise<ByBenchmark<string>> {
  const ids = new ByBenchmark<string>()
  if (askedFor <= rowsPerStatement) return ids
  const most = Math.min(2 * askedFor, readAtOnceMax)
  const [counted] = await queryRows<{ count: number }>(
    client,
    sql`SELECT count(*) FROM (
      SELECT FROM benchmarks WHERE project_id = ${projectId} LIMIT ${most + 1}) AS benchmark`,
  )
  if (counted === undefined || counted.count > most) return ids
  const metrics = await queryRows<{ instrument: string; metric: string; uris: string[]; ids: string[] }>(
    client,
    sql`SELECT instrument, metric, json_agg(uri) AS uris, json_agg(id) AS ids
      FROM benchmarks WHERE project_id = ${projectId} GROUP BY instrument, metric`,
  )
  for (const { instrument, metric, uris, ids: own } of metrics) {
    const byUri = ids.ofMetric(instrument, metric)
    for (const [index, uri] of uris.entries()) byUri.set(uri, own[index] ?? '')
  }
  return ids
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
): Promise<(KnownBenchmark | undefined)[]> {
  const found = await queryRows<{ id: string | null; isFormerUri: boolean }>(
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
  return found.map(({ id, isFormerUri }) => (id === null ? undefined : { id, isFormerUri }))
}
