import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { orderOrTell } from './order-session.ts'
import { getMcpTarget } from './reaching.ts'

export const tuneMcpServer = implement(operations.tuneMcpServer)(async (input, context) => {
  const target = await getMcpTarget(context, input.mcp_target_id)
  return orderOrTell(context, target, {
    command: 'auto-tune',
    ...(input.settings === undefined ? {} : { settings: input.settings }),
    ...(input.target_latency_ms === undefined ? {} : { target_latency_ms: input.target_latency_ms }),
    ...(input.seconds === undefined ? {} : { seconds: input.seconds }),
  })
})
