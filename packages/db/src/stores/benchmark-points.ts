import type { BenchmarkStore, HistoryPoint } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { nothing, queryColumns, sql } from '../sql.ts'
import { valueOfMetric } from './benchmark-series.ts'

interface Row extends Omit<HistoryPoint, 'at'> {
  /** Milliseconds since 1970, as near as a double of seconds tells them. */
  atMs: number
}

/** The points of a benchmark's history, newest first. */
export async function readPoints(
  client: ClientBase,
  benchmarkId: string,
  { branch, metric, limit }: Parameters<BenchmarkStore['history']>[2],
): Promise<HistoryPoint[]> {
  const { value, unit } = valueOfMetric(metric)
  const columns = await queryColumns<Row>(
    client,
    ['runId', 'branch', 'commitHash', 'commitMessage', 'atMs', 'environmentId', 'value', 'unit', 'stdev'],
    // Results apart from the runs (OFFSET 0), so that they are read in the order of their index and not run by run; and
    // where no branch is asked for, no more of them than are shown.
    sql`SELECT runs.id AS "runId", runs.branch, runs.commit_hash AS "commitHash",
        runs.commit_message AS "commitMessage",
        date_part('epoch', coalesce(runs.committed_at, runs.created_at)) * 1000 AS "atMs",
        runs.environment_id AS "environmentId", result.value, result.unit, result.stdev
      FROM (
        SELECT workspace_id, run_id, created_at, ${value} AS value, ${unit} AS unit,
          ${metric === undefined ? sql`(stats ->> 'stdev')::double precision` : sql`NULL::double precision`} AS stdev
        FROM benchmark_results WHERE benchmark_id = ${benchmarkId}
        ORDER BY created_at DESC, run_id DESC
        ${branch === undefined && metric === undefined ? sql`LIMIT ${limit}` : nothing} OFFSET 0
      ) AS result
      JOIN runs ON runs.workspace_id = result.workspace_id AND runs.id = result.run_id
      WHERE result.value IS NOT NULL ${branch === undefined ? nothing : sql`AND runs.branch = ${branch}`}
      ORDER BY result.created_at DESC, result.run_id DESC LIMIT ${limit}`,
  )
  return columns.runId.map((runId, index) => ({
    runId,
    branch: columns.branch[index] ?? '',
    commitHash: columns.commitHash[index] ?? '',
    commitMessage: columns.commitMessage[index] ?? '',
    at: new Date(Math.round(columns.atMs[index] ?? NaN)),
    environmentId: columns.environmentId[index] ?? null,
    value: columns.value[index] ?? NaN,
    unit: columns.unit[index] ?? '',
    stdev: columns.stdev[index] ?? null,
  }))
}
