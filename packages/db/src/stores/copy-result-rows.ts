import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { execute, sql } from '../sql.ts'
import { BinaryCopy } from './binary-copy.ts'
import { laterCounts, type ResultRow, type ResultRun } from './result-row.ts'

/** While the database inserts so many, the next ones are encoded. */
const rowsPerInsert = 20_000

/**
 * The same for many rows: COPY is refused for tables with row-level security, so they go into a temporary table of the
 * connection, and from there, as the caller, where they belong. Within a transaction, whose end empties that table.
 */
export async function copyResultRows<T>(
  client: ClientBase,
  run: ResultRun,
  results: readonly T[],
  rowOf: (result: T) => ResultRow,
): Promise<void> {
  await client.query(`CREATE TEMPORARY TABLE IF NOT EXISTS incoming_results (
    benchmark_id text COLLATE "C" NOT NULL, value double precision NOT NULL, unit text NOT NULL, stats jsonb NOT NULL,
    metrics jsonb NOT NULL, rounds bytea, process_values text NOT NULL) ON COMMIT DELETE ROWS`)
  let inserted: Promise<unknown> = Promise.resolve()
  for (let start = 0; start < results.length; start += rowsPerInsert) {
    const encoded = encode(results.slice(start, start + rowsPerInsert), rowOf)
    await inserted
    await pipeline(
      Readable.from(encoded),
      client.query(copyFrom('COPY pg_temp.incoming_results FROM STDIN (FORMAT binary)')),
    )
    // Not waited for until the next rows are encoded.
    inserted = insertIncoming(client, run).then(() => client.query('TRUNCATE pg_temp.incoming_results'))
  }
  await inserted
}

function encode<T>(results: readonly T[], rowOf: (result: T) => ResultRow): Buffer[] {
  const copy = new BinaryCopy()
  for (const result of results) {
    const { benchmarkId, value, unit, stats, metrics, rounds, processValues } = rowOf(result)
    copy.row(7)
    copy.text(benchmarkId)
    copy.double(value)
    copy.text(unit)
    copy.jsonb(stats)
    copy.jsonb(metrics)
    copy.bytes(rounds)
    copy.text(processValues)
  }
  return copy.finish()
}

function insertIncoming(client: ClientBase, run: ResultRun): Promise<number> {
  return execute(
    client,
    sql`INSERT INTO benchmark_results
        (workspace_id, run_id, benchmark_id, value, unit, stats, metrics, rounds, process_values, created_at)
      SELECT ${run.workspaceId}, ${run.runId}, benchmark_id, value, unit, stats, metrics, rounds,
        process_values::double precision[], ${run.createdAt}::timestamptz
      FROM pg_temp.incoming_results
      ${laterCounts(run)}`,
  )
}
