import { getCurrentUser } from '@flamegate/contract/workspace/get-current-user'
import { operationCommand } from './operation-command.ts'

export const whoami = operationCommand({ operation: getCurrentUser })
