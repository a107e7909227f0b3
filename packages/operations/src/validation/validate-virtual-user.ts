import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { giveUpValidation } from './give-up-validation.ts'
import { validationOnWire } from './on-wire.ts'
import { readVirtualUser } from './reaching.ts'

export const validateVirtualUser = implement(operations.validateVirtualUser)(async (input, context) => {
  const { caller, deps, requestId } = context
  const { object } = await readVirtualUser(context, input.virtual_user_id)
  const { workspaceId, projectId } = object
  const [taskId, validationId] = [newId('task'), newId('validation')]
  // First, so that no validation is without a task: the worker looks after tasks that nobody works on.
  const task = await deps.stores.tasks.create(caller, {
    id: taskId,
    workspaceId,
    projectId,
    kind: 'validate_virtual_user',
    message: 'Waiting for a worker',
    result: { validation_id: validationId, virtual_user_id: object.id },
  })
  const validation = await deps.stores.validations.create(caller, {
    id: validationId,
    workspaceId,
    projectId,
    virtualUserId: object.id,
    version: object.version,
    iterations: input.iterations,
    taskId,
    expiresAt: new Date(Date.now() + deps.validationDays * 24 * 60 * 60_000),
  })
  try {
    await deps.queue.add('validate_virtual_user', { taskId, workspaceId, requestId })
  } catch (cause) {
    const detail = 'The queue of jobs could not be reached, so nothing was sent. Try it again later.'
    await giveUpValidation(deps.stores, caller, task, { state: 'ERROR', message: detail })
    await deps.stores.tasks.finish(caller, taskId, { problem: { code: 'unavailable', detail } })
    throw new Problem('unavailable', detail, { cause })
  }
  return { validation: validationOnWire(validation), task_id: taskId, next_poll_seconds: 2 }
})
