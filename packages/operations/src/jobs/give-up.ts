import type { JobName, JobPayload, JobPayloads } from '../ports/index.ts'
import { endWithoutRun } from '../validation/end-without-run.ts'
import { workerCaller, type JobDeps } from './job.ts'

/**
 * Gives up a job that no worker could do. What cannot be judged counts as judged, so that it is not tried for ever; the
 * log says why.
 */
export async function giveUpJob(payload: JobPayloads[JobName], deps: JobDeps): Promise<void> {
  if (!('runId' in payload)) return giveUpTask(payload, deps)
  const caller = workerCaller(payload.workspaceId)
  const run = await deps.stores.runs.find(caller, payload.runId)
  if (run?.unjudgedSince) await deps.stores.runs.markJudged(caller, run.id, run.unjudgedSince)
}

/** Ends the task of a job, so that nobody waits for it for ever. */
async function giveUpTask({ taskId, workspaceId }: JobPayload, deps: JobDeps): Promise<void> {
  const caller = workerCaller(workspaceId)
  const detail = 'This could not be done because of a defect on our side. Try it again later.'
  const task = await deps.stores.tasks.find(caller, taskId)
  if (task !== undefined) await endWithoutRun(deps.stores, caller, task, { state: 'ERROR', message: detail })
  await deps.stores.tasks.finish(caller, taskId, { problem: { code: 'internal', detail } })
}
