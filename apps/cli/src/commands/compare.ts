import { compareRuns } from '@flamegate/contract/benchmarks/compare-runs'
import { operationCommand } from './operation-command.ts'
import { withRepository } from './with-repository.ts'

export const compare = operationCommand({
  operation: compareRuns,
  positionals: [
    { name: 'base', fieldFor: () => 'base_run_id' },
    { name: 'head', fieldFor: () => 'head_run_id' },
  ],
  // Only the latest run has to be looked for somewhere.
  complete: (input, context) =>
    (input['head_run_id'] ?? 'latest') === 'latest' ? withRepository(input, context) : Promise.resolve(input),
})
