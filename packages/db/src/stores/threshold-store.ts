import { newId } from '@flamegate/contract'
import type { StoredThreshold, ThresholdStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'

const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", branch, benchmark_id AS "benchmarkId",
  metric, test, lower_bound AS "lowerBound", upper_bound AS "upperBound", window_runs AS "windowRuns",
  sample_min AS "sampleMin", updated_at AS "updatedAt"`

export function thresholdStore(database: Database): ThresholdStore {
  return {
    list: (caller, projectId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<StoredThreshold>(
          client,
          sql`SELECT ${columns} FROM thresholds WHERE project_id = ${projectId} ORDER BY id`,
        ),
      ),

    set: (caller, threshold) =>
      database.asCallerSql(caller, async (client) => {
        const [stored] = await queryRows<StoredThreshold>(
          client,
          sql`INSERT INTO thresholds (workspace_id, id, project_id, branch, benchmark_id, metric, test, lower_bound,
              upper_bound, window_runs, sample_min, updated_by)
            VALUES (${threshold.workspaceId}, ${newId('threshold')}, ${threshold.projectId}, ${threshold.branch},
              ${threshold.benchmarkId}, ${threshold.metric}, ${threshold.test}, ${threshold.lowerBound},
              ${threshold.upperBound}, ${threshold.windowRuns}, ${threshold.sampleMin}, ${caller.principal.userId})
            ON CONFLICT (workspace_id, project_id, branch, benchmark_id, metric) DO UPDATE SET test = excluded.test,
              lower_bound = excluded.lower_bound, upper_bound = excluded.upper_bound,
              window_runs = excluded.window_runs, sample_min = excluded.sample_min,
              updated_by = excluded.updated_by, updated_at = now()
            RETURNING ${columns}`,
        )
        if (!stored) throw new Error('The threshold is gone')
        return stored
      }),

    remove: (caller, { workspaceId, projectId }, target) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM thresholds WHERE workspace_id = ${workspaceId} AND project_id = ${projectId}
            AND branch IS NOT DISTINCT FROM ${target.branch}
            AND benchmark_id IS NOT DISTINCT FROM ${target.benchmarkId}
            AND metric IS NOT DISTINCT FROM ${target.metric}`,
        )
        return removed > 0
      }),
  }
}
