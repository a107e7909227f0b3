import { listRuns } from '@flamegate/contract/benchmarks/list-runs'
import { operationCommand } from './operation-command.ts'
import { withRepository } from './with-repository.ts'

export const runs = operationCommand({ operation: listRuns, complete: withRepository })
