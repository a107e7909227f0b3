import { operations, Problem, type McpCommand } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { orderOrTell } from './order-session.ts'
import { getMcpTarget } from './reaching.ts'

const commands = {
  times: 'profile',
  cpu: 'cpu',
  memory: 'memory',
  heap_snapshots: 'heap-analysis',
  gc: 'gc-monitor',
  leaks: 'memory-leaks',
  diagnosis: 'diagnose',
  production: 'production',
} as const satisfies Record<string, McpCommand>

export const profileMcpServer = implement(operations.profileMcpServer)(async (input, context) => {
  const { measure, seconds, samples, label } = input
  const target = await getMcpTarget(context, input.mcp_target_id)
  if (samples !== undefined && (measure !== 'times' || seconds !== undefined)) {
    throw new Problem('invalid_input', 'samples is for times, in place of seconds.', {
      errors: [{ field: 'samples', message: 'Leave it out, or seconds and measure.' }],
    })
  }
  return orderOrTell(context, target, {
    command: commands[measure],
    // A wrapper stays as long as its clients do.
    ...(seconds === undefined || measure === 'production' ? {} : { seconds }),
    ...(samples === undefined ? {} : { samples }),
    ...(input.operations === undefined ? {} : { operations: input.operations }),
    ...(label === undefined ? {} : { label }),
  })
})
