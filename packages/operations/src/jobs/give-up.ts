import { settled, startingFiring } from '../bench-runs/decide-firing.ts'
import { endRun } from '../bench-runs/end-run.ts'
import {
  sourceJobNames,
  type BenchJobPayload,
  type JobName,
  type JobPayload,
  type JobPayloads,
} from '../ports/index.ts'
import { giveUpValidation } from '../validation/give-up-validation.ts'
import { removeSource } from '../virtual-users/remove-source.ts'
import { workerCaller, type JobDeps } from './job.ts'

/**
 * Gives up a job that no worker could do. What cannot be judged counts as judged, so that it is not tried for ever; the
 * log says why.
 */
export async function giveUpJob(payload: JobPayloads[JobName], deps: JobDeps): Promise<void> {
  if ('benchResultId' in payload) return giveUpBenchRun(payload, deps)
  if ('scheduleId' in payload) return giveUpFiring(payload.scheduleId, payload.workspaceId, deps)
  if (!('runId' in payload)) return giveUpTask(payload, deps)
  const caller = workerCaller(payload.workspaceId)
  const run = await deps.stores.runs.find(caller, payload.runId)
  if (run?.unjudgedSince) await deps.stores.runs.markJudged(caller, run.id, run.unjudgedSince)
}

/** A shard that nobody sees to is seen to by whoever ends the run; when that is given up, the run has ended. */
async function giveUpBenchRun(
  { taskId, workspaceId, benchResultId }: BenchJobPayload,
  { stores }: JobDeps,
): Promise<void> {
  if (taskId !== benchResultId) return
  await endRun(
    { caller: workerCaller(workspaceId), deps: { stores } },
    benchResultId,
    'It was given up because of a defect on our side. What was measured is kept.',
  )
}

/** The run that could not be started is told of, and the next one is started as if nothing had been. */
async function giveUpFiring(scheduleId: string, workspaceId: string, { stores }: JobDeps): Promise<void> {
  await stores.schedules.change(workerCaller(workspaceId), scheduleId, (schedule) => {
    const firing = startingFiring(schedule)
    const words = 'It was given up because of a defect on our side.'
    return firing === undefined ? {} : settled(schedule, firing.bench_result_id, words)
  })
}

/** Ends the task of a job, so that nobody waits for it for ever. */
async function giveUpTask({ taskId, workspaceId }: JobPayload, deps: JobDeps): Promise<void> {
  const caller = workerCaller(workspaceId)
  const detail = 'This could not be done because of a defect on our side. Try it again later.'
  const task = await deps.stores.tasks.find(caller, taskId)
  if (task === undefined) return
  await giveUpValidation(deps.stores, caller, task, {
    state: 'ERROR',
    message: `It was given up because of a defect on our side. What is told here was done before; the exchanges of it are lost. Try it again later.`,
  })
  await deps.stores.tasks.finish(caller, taskId, { problem: { code: 'internal', detail } })
  if (sourceJobNames.includes(task.kind)) await removeSource(deps, caller, String(task.result?.['file_id']))
}
