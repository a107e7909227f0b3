import { newId } from '@flamegate/contract'
import type { NewResult } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { execute, queryRows, sql } from '../sql.ts'

type Measured = Pick<NewResult, 'uri' | 'instrument' | 'metric'>

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

const rowsPerStatement = 2_000

/** Tells benchmarks of a project apart. */
export function benchmarkKey({ uri, instrument, metric }: Record<keyof Measured, string>): string {
  return `${uri}\0${instrument}\0${metric}`
}

/**
 * The id of each result's benchmark, by key. A uri that a benchmark had before is as good as the one it has now; those
 * that are new in the project are made.
 */
export async function ensureBenchmarks(
  client: ClientBase,
  place: Place,
  results: readonly NewResult[],
): Promise<ReadonlyMap<string, KnownBenchmark>> {
  const ids = new Map<string, KnownBenchmark>()
  for (let start = 0; start < results.length; start += rowsPerStatement) {
    const part = results.slice(start, start + rowsPerStatement)
    for (const [key, known] of await ensureSome(client, place, part)) ids.set(key, known)
  }
  return ids
}

async function ensureSome(
  client: ClientBase,
  place: Place,
  rows: NewResult[],
): Promise<ReadonlyMap<string, KnownBenchmark>> {
  const known = await findBenchmarks(client, place, rows)
  const missing = rows.filter((row) => !known.has(benchmarkKey(row)))
  if (missing.length === 0) return known
  await execute(
    client,
    sql`INSERT INTO benchmarks (workspace_id, id, project_id, uri, name, instrument, metric, better_when)
      SELECT ${place.workspaceId}, row.id, ${place.projectId}, row.uri, row.name, row.instrument, row.metric,
        row.better_when
      FROM unnest(
        ${missing.map(() => newId('benchmark'))}::text[],
        ${missing.map((row) => row.uri)}::text[],
        ${missing.map((row) => row.name)}::text[],
        ${missing.map((row) => row.instrument)}::text[],
        ${missing.map((row) => row.metric)}::text[],
        ${missing.map((row) => row.betterWhen)}::text[]
      ) AS row (id, uri, name, instrument, metric, better_when)
      ON CONFLICT (project_id, uri, instrument, metric) DO NOTHING`,
  )
  // Asked for again, and not RETURNING: another run may have made some of them at the same moment.
  return new Map([...known, ...(await findBenchmarks(client, place, missing))])
}

/**
 * One look into an index for each uri, which OFFSET 0 leaves no other way for: the planner's picture of a table that has
 * just been filled is of an empty one, and with a list of uris it read the whole project, holding every row against each
 * of two thousand.
 */
async function findBenchmarks(
  client: ClientBase,
  { workspaceId, projectId }: Place,
  rows: NewResult[],
): Promise<Map<string, KnownBenchmark>> {
  const uris = [...new Set(rows.map((row) => row.uri))]
  const found = await queryRows<KnownBenchmark & { uri: string; instrument: string; metric: string }>(
    client,
    sql`SELECT known.id, known.uri, known.instrument, known.metric, true AS "isFormerUri"
        FROM unnest(${uris}::text[]) AS asked (uri) CROSS JOIN LATERAL (
          SELECT benchmark_id AS id, uri, instrument, metric FROM benchmark_uris
            WHERE workspace_id = ${workspaceId} AND project_id = ${projectId} AND uri = asked.uri OFFSET 0
        ) AS known
      UNION ALL
      SELECT known.id, known.uri, known.instrument, known.metric, false
        FROM unnest(${uris}::text[]) AS asked (uri) CROSS JOIN LATERAL (
          SELECT id, uri, instrument, metric FROM benchmarks
            WHERE project_id = ${projectId} AND uri = asked.uri OFFSET 0
        ) AS known`,
  )
  // Whose uri it is now goes before whose it was: it comes later.
  return new Map(found.map(({ id, isFormerUri, ...row }) => [benchmarkKey(row), { id, isFormerUri }]))
}
