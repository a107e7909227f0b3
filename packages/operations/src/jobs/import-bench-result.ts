import { newId, Problem, resultFileBytesMax } from '@flamegate/contract'
import { scenario } from '@flamegate/loadtest'
import type { ResultFormat } from '@flamegate/loadtest/results'
import { readResultRequest, type ResultRequest } from '../bench-imports/result-request.ts'
import { batchesOf } from '../bench-imports/tick-frames.ts'
import { holdsOthers } from '../bench-runs/holds-others.ts'
import { fullWords } from '../bench-runs/result-quota.ts'
import { hasEnded } from '../ports/index.ts'
import type { ImportedRun, MeasuredResults, ResultReading } from '../ports/index.ts'
import { addReportOfRun } from '../reports/add-report.ts'
import { removeSource } from '../virtual-users/remove-source.ts'
import { told } from './told.ts'
import { runImport, workerCaller, type ImportContext, type JobDeps, type JobHandler } from './job.ts'

/** Makes a bench result, and a report of it, of uploaded results of another tool. */
export const importBenchResult: JobHandler<'import_bench_result'> = async (payload, deps) => {
  await runImport(
    payload,
    deps,
    resultFileBytesMax,
    async (context) => {
      const { caller, task } = context
      const { benchRuns, series } = deps.stores
      const request = readResultRequest(task.result?.['import'])
      const before = await benchRuns.find(caller, request.bench_result_id)
      if (before === undefined) await readAndStore(context, request, deps)
      const run = before ?? (await benchRuns.find(caller, request.bench_result_id))
      if (run === undefined) throw new TypeError('The run was stored, and is not there')
      const author = { userId: task.createdBy, clientName: request.client_name }
      await addReportOfRun({ caller, deps }, run, author)
      await series.seal(caller, run.id, 'end')
      return {
        bench_result_id: run.id,
        bench_report_id: run.benchReportId,
        format: run.importedFrom,
        notes: run.events.filter(({ kind }) => kind === 'warning').map(({ words }) => words),
        // What it was asked for has been done.
        import: undefined,
      }
    },
    // Nothing was stored that would have to be told.
    async () => {},
  )
  const caller = workerCaller(payload.workspaceId)
  const task = await deps.stores.tasks.find(caller, payload.taskId)
  if (task !== undefined && hasEnded(task)) await removeSource(deps, caller, String(task.result?.['file_id']))
}

async function readAndStore(context: ImportContext, request: ResultRequest, deps: JobDeps): Promise<void> {
  const { caller, task, file, content, checkpoint } = context
  const full = await fullWords({ caller, deps }, task.workspaceId)
  if (full !== undefined)
    throw new Problem(
      'too_large',
      `${full} Delete results that are not needed any more, and import them then.`,
    )
  const tell = (percent: number) => checkpoint(percent, `Reading ${file.name}`)
  const reading = await deps.resultReader.read(told(await content.open(), file.sizeBytes, tell))
  try {
    const { outcome } = reading
    if ('refused' in outcome) throw new Problem('unreadable_source', outcome.refused)
    const { format, results } = outcome
    await checkpoint(80, `Requests to store: ${results.requestCount}`)
    await deps.stores.benchImports.complete(
      caller,
      importedRun(context, request, { format, results, reading }),
    )
  } finally {
    await reading.release()
  }
}

function importedRun(
  { task, file }: ImportContext,
  request: ResultRequest,
  { format, results, reading }: { format: ResultFormat; results: MeasuredResults; reading: ResultReading },
): ImportedRun {
  const { startedAtMs, durationMs, actions, notes } = results
  const endedAt = new Date(startedAtMs + durationMs)
  const words = `Imported from ${file.name} (${toolNames[format]}).`
  const at = endedAt.toISOString()
  return {
    run: {
      id: request.bench_result_id,
      workspaceId: task.workspaceId,
      projectId: task.projectId ?? '',
      name: request.name,
      message: words,
      durationMs,
      usersMax: results.usersMax,
      events: [
        { at, kind: 'state', words },
        ...notes.map((note) => ({ at, kind: 'warning' as const, words: note })),
      ],
      taskId: task.id,
      benchReportId: request.bench_report_id,
      tags: request.tags,
      createdBy: task.createdBy,
      importedFrom: format,
      startedAt: new Date(startedAtMs),
      endedAt,
      plan: {
        // What users did is not told, so there is no profile.
        scenario: scenario.parse({ name: request.name, profiles: [] }),
        virtual_users: [],
        servers: [],
        variables: [],
        actions,
      },
    },
    shard: { id: newId('benchShard'), agentGroup: toolNames[format], message: words },
    containers: actions.flatMap((action, place) => (holdsOthers(action) ? [place] : [])),
    ticks: batchesOf(reading.openTicks(), startedAtMs / 1000),
    samples: results.samples.map((sample) => ({ ...sample, id: newId('benchSample') })),
  }
}

/** As people call them. */
const toolNames: Readonly<Record<ResultFormat, string>> = {
  jtl: 'JMeter',
  k6: 'k6',
  gatling: 'Gatling',
  locust: 'Locust',
  har: 'HAR',
}
