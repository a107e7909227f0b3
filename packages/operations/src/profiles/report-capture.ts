import { operations, Problem, type InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import { hasEnded, type CaptureOrder } from '../ports/index.ts'
import { getOrder } from './collectors.ts'

export const reportCapture = implement(operations.reportCapture)(async (input, context) => {
  const order = await getOrder(context, input.task_id)
  const { caller, deps } = context
  const before = await deps.stores.tasks.find(caller, order.taskId)
  const goesOn = await note(input, order, context)
  // Every few seconds: that it was started, with whichever report, and how it ended, is recorded.
  if (input.state === 'going_on' && before?.status === 'RUNNING') context.isUneventful()
  const task = await deps.stores.tasks.find(caller, order.taskId)
  if (task === undefined) throw new Problem('task_not_found', 'This task was deleted just now.')
  return { project_id: order.projectId, goes_on: goesOn && !hasEnded(task), status: task.status }
})

/** @returns false where it does not go on */
async function note(
  { state, message, percent, profile_id: profileId }: InputOf<typeof operations.reportCapture>,
  order: CaptureOrder,
  { caller, deps }: CallContext,
): Promise<boolean> {
  const { tasks, collectors } = deps.stores
  if (state === 'started' && !(await collectors.start(caller, order.taskId))) return false
  if (state === 'started' || state === 'going_on') {
    return tasks.progress(caller, order.taskId, { percent, message })
  }
  await tasks.finish(caller, order.taskId, await outcome())
  return false

  async function outcome(): Promise<Parameters<typeof tasks.finish>[2]> {
    if (state === 'stopped') return { isCancelled: true }
    if (state === 'failed') {
      const detail = message === '' ? 'The collector did not say why.' : message
      return { problem: { code: 'processing_failed', detail } }
    }
    const profile = profileId === undefined ? undefined : await deps.stores.profiles.find(caller, profileId)
    if (profile?.projectId !== order.projectId) {
      throw new Problem('profile_not_found', 'There is no such profile in the project of this capture.', {
        errors: [{ field: 'profile_id', message: 'The profile that came of it is needed.' }],
      })
    }
    const task = await tasks.find(caller, order.taskId)
    return { result: { ...task?.result, profile_id: profile.id } }
  }
}
