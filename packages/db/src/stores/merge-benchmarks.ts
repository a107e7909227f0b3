import type { Benchmark } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { execute, sql } from '../sql.ts'

/**
 * Runs of the project that are being read have it locked, and are waited for, and so is whoever else merges. At the beginning, because
 * whoever waits for us must not hold what we wait for at the end.
 */
export async function waitForImports(
  client: ClientBase,
  { workspaceId, projectId }: Pick<Benchmark, 'workspaceId' | 'projectId'>,
): Promise<void> {
  await execute(
    client,
    sql`SELECT FROM projects WHERE workspace_id = ${workspaceId} AND id = ${projectId} FOR UPDATE`,
  )
}

/**
 * Moves everything of a benchmark to another of the same project, and removes it, so that its id stands for the other one
 * from then on. What both have stays as the other has it; critical is what either was. Tells how many results moved.
 */
export async function mergeBenchmarks(
  client: ClientBase,
  { workspaceId, id }: Benchmark,
  from: Benchmark,
): Promise<number> {
  const moved = await execute(
    client,
    sql`UPDATE benchmark_results SET benchmark_id = ${id}
      WHERE workspace_id = ${workspaceId} AND benchmark_id = ${from.id} AND NOT EXISTS (
        SELECT FROM benchmark_results AS own WHERE own.workspace_id = benchmark_results.workspace_id
          AND own.run_id = benchmark_results.run_id AND own.benchmark_id = ${id}
      )`,
  )
  await execute(
    client,
    sql`UPDATE alerts SET benchmark_id = ${id}
      WHERE workspace_id = ${workspaceId} AND benchmark_id = ${from.id} AND NOT EXISTS (
        SELECT FROM alerts AS own WHERE own.workspace_id = alerts.workspace_id AND own.benchmark_id = ${id}
          AND own.metric = alerts.metric AND own.branch = alerts.branch AND own.test = alerts.test
          AND (own.run_id = alerts.run_id OR own.state = 'open' AND alerts.state = 'open')
      )`,
  )
  await execute(
    client,
    sql`UPDATE profiles SET benchmark_id = ${id}
      WHERE workspace_id = ${workspaceId} AND benchmark_id = ${from.id}`,
  )
  await execute(
    client,
    sql`UPDATE benchmark_uris SET benchmark_id = ${id}
      WHERE workspace_id = ${workspaceId} AND benchmark_id = ${from.id}`,
  )
  await execute(
    client,
    sql`UPDATE thresholds SET benchmark_id = ${id}
      WHERE workspace_id = ${workspaceId} AND benchmark_id = ${from.id} AND NOT EXISTS (
        SELECT FROM thresholds AS own WHERE own.workspace_id = thresholds.workspace_id AND own.benchmark_id = ${id}
          AND own.branch IS NOT DISTINCT FROM thresholds.branch AND own.metric IS NOT DISTINCT FROM thresholds.metric
      )`,
  )
  await execute(
    client,
    sql`UPDATE benchmarks SET is_critical = is_critical OR ${from.isCritical},
        threshold_percent = coalesce(threshold_percent, ${from.thresholdPercent})
      WHERE workspace_id = ${workspaceId} AND id = ${id}`,
  )
  await execute(
    client,
    sql`UPDATE merged_benchmarks SET benchmark_id = ${id}
      WHERE workspace_id = ${workspaceId} AND benchmark_id = ${from.id}`,
  )
  await execute(
    client,
    sql`INSERT INTO merged_benchmarks (workspace_id, project_id, id, benchmark_id)
      VALUES (${workspaceId}, ${from.projectId}, ${from.id}, ${id})`,
  )
  await execute(client, sql`DELETE FROM benchmarks WHERE workspace_id = ${workspaceId} AND id = ${from.id}`)
  await rememberUri(client, from, id)
  return moved
}

/** Runs that come with the uri that a benchmark has now will go on with the history of `benchmarkId`. */
export async function rememberUri(client: ClientBase, now: Benchmark, benchmarkId: string): Promise<void> {
  await execute(
    client,
    sql`INSERT INTO benchmark_uris (workspace_id, project_id, uri, instrument, metric, benchmark_id)
      VALUES (${now.workspaceId}, ${now.projectId}, ${now.uri}, ${now.instrument}, ${now.metric}, ${benchmarkId})
      ON CONFLICT (workspace_id, project_id, uri, instrument, metric)
        DO UPDATE SET benchmark_id = excluded.benchmark_id`,
  )
}
