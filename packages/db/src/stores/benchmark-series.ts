import type { BenchmarkSeries, Run } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { queryRows, sql, type Sql } from '../sql.ts'

/** The value of a result's main metric, or of the one that is named, among its own. Null when it has none such. */
export function valueOfMetric(metric: string | undefined): { value: Sql; unit: Sql } {
  if (metric === undefined) return { value: sql`benchmark_results.value`, unit: sql`benchmark_results.unit` }
  const further = (field: string) => sql`(SELECT metric ->> ${field}
    FROM jsonb_array_elements(benchmark_results.metrics) AS metric WHERE metric ->> 'name' = ${metric} LIMIT 1)`
  return { value: sql`${further('value')}::double precision`, unit: further('unit') }
}

/** One array for each benchmark, so that a thousand histories are a thousand rows. */
export async function readSeries(
  client: ClientBase,
  benchmarkIds: readonly string[],
  window: { upTo: Run; branch: string; runs: number; metric?: string },
): Promise<BenchmarkSeries> {
  const { upTo } = window
  const runs = await queryRows<{ id: string }>(
    client,
    sql`SELECT id FROM runs WHERE project_id = ${upTo.projectId} AND branch = ${window.branch} AND status = 'COMPLETED'
      AND (created_at, id) <= (${upTo.createdAt}, ${upTo.id}) ORDER BY created_at DESC, id DESC LIMIT ${window.runs}`,
  )
  const runIds = runs.map(({ id }) => id).toReversed()
  const { value, unit } = valueOfMetric(window.metric)
  // OFFSET 0 keeps the planner from turning it round, and holding each result against each run: it takes lists for short.
  const rows = await queryRows<{ benchmarkId: string; unit: string; values: number[]; places: number[] }>(
    client,
    sql`SELECT benchmark_id AS "benchmarkId", unit, array_agg(value ORDER BY place) AS values,
        array_agg(place ORDER BY place) AS places
      FROM (
        SELECT benchmark_results.benchmark_id, branch_run.place::integer - 1 AS place, ${value} AS value, ${unit} AS unit
        FROM unnest(${runIds}::text[]) WITH ORDINALITY AS branch_run (id, place)
        CROSS JOIN LATERAL (SELECT benchmark_id, value, unit, metrics FROM benchmark_results
          WHERE workspace_id = ${upTo.workspaceId} AND run_id = branch_run.id
            AND benchmark_id = ANY (${benchmarkIds}::text[]) OFFSET 0) AS benchmark_results
      ) AS point
      WHERE value IS NOT NULL
      GROUP BY benchmark_id, unit ORDER BY max(place)`,
  )
  // The unit that came last is the one that counts: it is set last.
  return {
    runIds,
    ofBenchmark: new Map(rows.map(({ benchmarkId, ...series }) => [benchmarkId, series])),
  }
}
