import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { orderOrTell } from './order-session.ts'
import { getMcpTarget } from './reaching.ts'

export const planMcpCapacity = implement(operations.planMcpCapacity)(async (input, context) => {
  const target = await getMcpTarget(context, input.mcp_target_id)
  return orderOrTell(context, target, {
    command: 'capacity',
    max_latency_ms: input.max_latency_ms,
    ...(input.target_rps === undefined ? {} : { target_rps: input.target_rps }),
    ...(input.seconds === undefined ? {} : { seconds: input.seconds }),
  })
})
