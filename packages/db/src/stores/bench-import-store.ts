import type { BenchImportStore, ImportedRun } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'
import { insertSamples } from './bench-run-store.ts'
import { insertBatches, insertSeries } from './series-store.ts'

/** Number of the one that stands for all agents of a run that was measured elsewhere. */
const slot = 0

export function benchImportStore(database: Database): BenchImportStore {
  return {
    complete: (caller, { run, shard, containers, ticks, samples }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, run.workspaceId)
        // First, so that whoever comes second waits here, and then finds it done.
        if (!(await insertRun(client, run))) return
        const { workspaceId, projectId, id: benchResultId } = run
        await execute(
          client,
          sql`INSERT INTO bench_shards (workspace_id, id, project_id, bench_result_id, slot, agent_group, state,
              message, ended_at)
            VALUES (${workspaceId}, ${shard.id}, ${projectId}, ${benchResultId}, ${slot}, ${shard.agentGroup},
              'DONE', ${storableText(shard.message)}, now())`,
        )
        const secondsMax = Math.ceil(run.durationMs / 1000)
        await insertSeries(client, { workspaceId, benchResultId }, { secondsMax, containers })
        for await (const batch of ticks) {
          const [outcome] = await insertBatches(client, benchResultId, [{ agent: slot, ...batch }])
          if (outcome !== 'stored')
            throw new TypeError(`Seconds of an imported run were not stored: ${outcome}`)
        }
        await insertSamples(client, { id: shard.id, workspaceId, projectId, benchResultId }, samples)
      }),
  }
}

async function insertRun(client: ClientBase, run: ImportedRun['run']): Promise<boolean> {
  const inserted = await execute(
    client,
    sql`INSERT INTO bench_results (workspace_id, id, project_id, name, state, message, plan, duration_ms, events,
        task_id, bench_report_id, imported_from, tags, users_max, created_by, started_at, ended_at)
      VALUES (${run.workspaceId}, ${run.id}, ${run.projectId}, ${storableText(run.name)}, 'FINISHED',
        ${storableText(run.message)}, ${storableJson(run.plan)}::jsonb, ${run.durationMs},
        ${storableJson(run.events)}::jsonb, ${run.taskId}, ${run.benchReportId}, ${run.importedFrom},
        ${storableJson(run.tags)}::jsonb, ${run.usersMax ?? 0}, ${run.createdBy}, ${run.startedAt}, ${run.endedAt})
      ON CONFLICT DO NOTHING`,
  )
  return inserted === 1
}
