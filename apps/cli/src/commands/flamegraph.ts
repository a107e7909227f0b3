import { queryFlamegraph } from '@flamegate/contract/profiles/query-flamegraph'
import { operationCommand } from './operation-command.ts'

export const flamegraph = operationCommand({
  operation: queryFlamegraph,
  positionals: [
    { name: 'profile|run', fieldFor: (value) => (value.startsWith('prf_') ? 'profile_id' : 'run_id') },
    { name: 'benchmark', fieldFor: () => 'benchmark' },
  ],
  complete: (input) =>
    Promise.resolve('profile_id' in input || 'run_id' in input ? input : { run_id: 'latest', ...input }),
})
