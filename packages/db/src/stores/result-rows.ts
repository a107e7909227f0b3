import { newId } from '@flamegate/contract'
import type { NewResult } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { encodeRounds } from '../rounds.ts'
import { execute, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

/** The run that results belong to. */
export interface ResultRun {
  workspaceId: string
  projectId: string
  runId: string
  createdAt: Date
}

const rowsPerStatement = 2_000

/**
 * Stores the results of a run and the benchmarks that are new in its project, and tells how many there were. Of
 * several results for the same uri and instrument the last one counts. Arrays of columns make it 15 times as fast
 * as Prisma's createMany.
 */
export async function insertResults(
  client: ClientBase,
  run: ResultRun,
  results: NewResult[],
): Promise<number> {
  const byBenchmark = new Map<string, NewResult>()
  for (const result of results) {
    const storable = { ...result, uri: storableText(result.uri), name: storableText(result.name) }
    byBenchmark.set(`${storable.uri}\0${storable.instrument}`, storable)
  }
  // In one order everywhere, so that two runs that add the same benchmarks wait for, not on, each other.
  const keys = [...byBenchmark.keys()].toSorted()
  const rows = keys.flatMap((key) => byBenchmark.get(key) ?? [])
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const part = rows.slice(start, start + rowsPerStatement)
    await insertNewBenchmarks(client, run, part)
    await insertResultRows(client, run, part)
  }
  return rows.length
}

async function insertNewBenchmarks(client: ClientBase, run: ResultRun, rows: NewResult[]): Promise<void> {
  await execute(
    client,
    sql`INSERT INTO benchmarks (workspace_id, id, project_id, uri, name, instrument)
      SELECT ${run.workspaceId}, row.id, ${run.projectId}, row.uri, row.name, row.instrument
      FROM unnest(
        ${rows.map(() => newId('benchmark'))}::text[],
        ${rows.map((row) => row.uri)}::text[],
        ${rows.map((row) => row.name)}::text[],
        ${rows.map((row) => row.instrument)}::text[]
      ) AS row (id, uri, name, instrument)
      WHERE NOT EXISTS (
        SELECT FROM benchmarks
        WHERE benchmarks.project_id = ${run.projectId}
          AND benchmarks.uri = row.uri AND benchmarks.instrument = row.instrument
      )
      ON CONFLICT (project_id, uri, instrument) DO NOTHING`,
  )
}

async function insertResultRows(client: ClientBase, run: ResultRun, rows: NewResult[]): Promise<void> {
  const rounds = rows.map(({ roundsNs }) =>
    roundsNs === undefined || roundsNs.length === 0 ? null : encodeRounds(roundsNs),
  )
  await execute(
    client,
    sql`INSERT INTO benchmark_results
        (workspace_id, run_id, benchmark_id, value, unit, stats, metrics, rounds, created_at)
      SELECT ${run.workspaceId}, ${run.runId}, benchmarks.id, row.value, row.unit, row.stats::jsonb,
        row.metrics::jsonb, row.rounds, ${run.createdAt}::timestamptz
      FROM unnest(
        ${rows.map((row) => row.uri)}::text[],
        ${rows.map((row) => row.instrument)}::text[],
        ${rows.map((row) => row.value)}::double precision[],
        ${rows.map((row) => row.unit)}::text[],
        ${rows.map((row) => storableJson(row.stats))}::text[],
        ${rows.map((row) => storableJson(row.metrics))}::text[],
        ${rounds}::bytea[]
      ) AS row (uri, instrument, value, unit, stats, metrics, rounds)
      JOIN benchmarks ON benchmarks.project_id = ${run.projectId}
        AND benchmarks.uri = row.uri AND benchmarks.instrument = row.instrument`,
  )
}
