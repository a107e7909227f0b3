import { newId, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { validationOnWire } from './on-wire.ts'
import { readVirtualUser } from './reaching.ts'

export const validateVirtualUser = implement(operations.validateVirtualUser)(async (input, context) => {
  const { caller, deps, requestId } = context
  const { object } = await readVirtualUser(context, input.virtual_user_id)
  const { workspaceId, projectId } = object
  const taskId = newId('task')
  const validation = await deps.stores.validations.create(caller, {
    id: newId('validation'),
    workspaceId,
    projectId,
    virtualUserId: object.id,
    version: object.version,
    iterations: input.iterations,
    taskId,
  })
  await deps.stores.tasks.create(caller, {
    id: taskId,
    workspaceId,
    projectId,
    kind: 'validate_virtual_user',
    message: 'Waiting for a worker',
    result: { validation_id: validation.id, virtual_user_id: object.id },
  })
  await deps.queue.add('validate_virtual_user', { taskId, workspaceId, requestId })
  return { validation: validationOnWire(validation), task_id: taskId, next_poll_seconds: 2 }
})
