import { operations, Problem, type InputOf, type McpMeasurement } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { orderOrTell } from './order-session.ts'
import { getMcpTarget } from './reaching.ts'

type Input = InputOf<typeof operations.loadTestMcpServer>

export const loadTestMcpServer = implement(operations.loadTestMcpServer)(async (input, context) => {
  const target = await getMcpTarget(context, input.mcp_target_id)
  return orderOrTell(context, target, {
    ...loadOf(input),
    ...(input.seconds === undefined ? {} : { seconds: input.seconds }),
    ...(input.operations === undefined ? {} : { operations: input.operations }),
    ...(input.label === undefined ? {} : { label: input.label }),
  })
})

/** One number of calls at once or one rate is a load test; several a search of the best one; with a goal, a test. */
function loadOf(input: Input): McpMeasurement {
  const {
    concurrent,
    requests,
    rps,
    ramp_up_seconds: rampUp,
    max_latency_ms: goalMs,
    with_profile: withProfile,
  } = input
  if (rps !== undefined) refuse(input, ['concurrent', 'requests'], 'rps')
  else if (rampUp !== undefined) throw wrong('ramp_up_seconds', 'The rate grows: give rps too.')
  if (rampUp !== undefined && input.seconds !== undefined && rampUp > input.seconds) {
    throw wrong('ramp_up_seconds', 'It is part of seconds, and cannot be longer.')
  }
  if (concurrent !== undefined && concurrent.length > 1) {
    refuse(input, ['requests', 'max_latency_ms', 'with_profile'], 'several numbers of calls at once')
    return { command: 'throughput', concurrent }
  }
  if (goalMs !== undefined) {
    refuse(input, ['requests', 'ramp_up_seconds', 'with_profile'], 'max_latency_ms')
    return {
      command: 'test',
      max_latency_ms: goalMs,
      ...(concurrent === undefined ? {} : { concurrent }),
      ...(rps === undefined ? {} : { target_rps: rps }),
    }
  }
  return {
    command: 'load-test',
    ...(concurrent === undefined ? {} : { concurrent }),
    ...(requests === undefined ? {} : { requests }),
    ...(rps === undefined ? {} : { rps }),
    ...(rampUp === undefined ? {} : { ramp_up_seconds: rampUp }),
    ...(withProfile ? { with_profile: true } : {}),
  }
}

/** @throws Problem `invalid_input` for fields that do not go with others */
function refuse(input: Input, fields: readonly (keyof Input)[], other: string): void {
  const given = fields.find((field) => input[field] !== undefined && input[field] !== false)
  if (given !== undefined) throw wrong(given, `It does not go with ${other}: leave one of both out.`)
}

function wrong(field: string, message: string): Problem {
  return new Problem('invalid_input', `${field} is not possible here.`, { errors: [{ field, message }] })
}
