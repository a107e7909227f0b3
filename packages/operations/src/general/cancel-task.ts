import { allows, operations, Problem } from '@flamegate/contract'
import { stopRun } from '../bench-runs/stop-run.ts'
import { implement, type CallContext } from '../implement.ts'
import { isImportJobName, type Task } from '../ports/index.ts'
import { pageOfTask } from '../task-page.ts'
import { reach } from '../targets.ts'
import { abandonUpload } from '../uploads.ts'
import { giveUpValidation } from '../validation/give-up-validation.ts'

export const cancelTask = implement(operations.cancelTask)(async (input, context) => {
  const { caller, deps } = context
  const found = await deps.stores.tasks.find(caller, input.task_id)
  if (found === undefined) throw new Problem('task_not_found', 'No such task in your workspaces.')
  await reach(context, found.workspaceId, found.id)
  mustBeAllowedToStop(context, found)
  const asked = (await deps.stores.tasks.requestCancel(caller, found.id)) ?? found
  if (found.kind === 'run_scenario')
    await stopRun(context, String(found.result?.['bench_result_id']), 'Its task was called off.')
  const task = isAbandoned(found) ? await cancelNow(context, asked) : asked
  if (task.status === 'CANCELLED') {
    await abandonUpload(deps.stores, caller, task)
    await giveUpValidation(deps.stores, caller, task, { state: 'CANCELLED', message: 'It was cancelled.' })
    // Last: as long as the job is there, it makes up for what could not be done.
    if (
      isImportJobName(task.kind) ||
      task.kind === 'validate_virtual_user' ||
      task.kind === 'print_bench_report'
    )
      await deps.queue.remove(task.kind, task.id)
  }
  return { task: { id: task.id, status: task.status }, page: pageOfTask(task) }
})

/**
 * To upload, which calls off what was uploaded, is not to stop what others run.
 * @throws Problem `insufficient_scope`
 */
function mustBeAllowedToStop({ principal }: CallContext, { kind }: Task): void {
  const { scopes } = operations.stopBenchResult
  if (kind !== 'run_scenario' || allows(principal.scopes, scopes)) return
  throw new Problem(
    'insufficient_scope',
    `To stop a load test, the credential needs the scope ${scopes.join(' or ')}.`,
    {
      hint: [operations.stopBenchResult, 'stops it, with such a credential'],
    },
  )
}

/** Whoever checks a virtual user tells of it every few seconds, also when it was taken over from a worker that died. */
const silentMsMax = 600_000

/** Nobody is at it any more who would hear that it is called off. */
function isAbandoned({ kind, status, updatedAt }: Task): boolean {
  return (
    kind === 'validate_virtual_user' && status === 'RUNNING' && Date.now() - updatedAt.getTime() > silentMsMax
  )
}

async function cancelNow({ caller, deps }: CallContext, task: Task): Promise<Task> {
  await deps.stores.tasks.finish(caller, task.id, { isCancelled: true })
  return (await deps.stores.tasks.find(caller, task.id)) ?? task
}
