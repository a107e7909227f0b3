import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answering } from './answering.ts'
import type { CommandRunner } from './run-for-client.ts'
import {
  callsServers,
  durationSeconds,
  measured,
  measuredOptions,
  milliseconds,
  optionsOf,
  seconds,
  target,
} from './served-input.ts'

const count = z.int().min(1)
const rate = z.number().positive().max(100_000)

const wanted = {
  target,
  command: z
    .array(z.string())
    .min(1)
    .max(100)
    .optional()
    .describe('Command that starts it, where mcp-profiler serve allows commands; target is then its name.'),
}

/** What can be looked at, with the command that does. */
const commandsOf = {
  times: ['profile'],
  cpu: ['cpu'],
  memory: ['memory'],
  gc: ['gc-monitor', '--gc-pressure'],
  heap_snapshots: ['heap-analysis', '--compare'],
  leaks: ['memory-leaks'],
} as const
const aspects = ['times', 'cpu', 'memory', 'gc', 'heap_snapshots', 'leaks'] as const

/** Tools that measure a server. */
export function addMeasuringTools(server: McpServer, runner: CommandRunner): void {
  server.registerTool(
    'profile_mcp_server',
    {
      title: 'Profile an MCP server',
      description:
        'times: percentiles, sizes, tokens and errors by tool. cpu, memory, gc, heap_snapshots, leaks look inside, under a load.',
      annotations: callsServers,
      inputSchema: z.strictObject({
        ...wanted,
        ...measured,
        measure: z.enum(aspects).default('times').describe('What is looked at.'),
        duration_seconds: durationSeconds.describe('How long; mostly 10 when left out.'),
        samples: count
          .max(1_000_000)
          .optional()
          .describe('Of times: calls of each operation, in place of a time.'),
      }),
    },
    (input, context) =>
      answering(() =>
        runner.measure(
          commandsOf[input.measure],
          input,
          async (folder) => [
            ...(await measuredOptions(input, folder)),
            ...optionsOf({ duration: seconds(input.duration_seconds), samples: input.samples }),
          ],
          context,
        ),
      ),
  )

  server.registerTool(
    'load_test_mcp_server',
    {
      title: 'Load-test an MCP server',
      description:
        'Calls at a time (concurrent; several to find where throughput stops growing) or calls per second (rps). With max_latency_ms or max_error_rate it is a check that passes or fails.',
      annotations: callsServers,
      inputSchema: z.strictObject({
        ...wanted,
        ...measured,
        concurrent: z
          .array(count.max(10_000))
          .min(1)
          .max(12)
          .optional()
          .describe('Calls at a time; several are tried one after the other.'),
        requests: count.max(10_000_000).optional().describe('Calls altogether; 1000 without a time.'),
        rps: rate.optional().describe('Calls per second, in place of concurrent.'),
        duration_seconds: durationSeconds.describe('How long.'),
        ramp_up_seconds: durationSeconds.describe('The rate grows evenly for so long.'),
        max_latency_ms: z.number().positive().optional().describe('Check: p95 within it.'),
        max_error_rate: z.number().min(0).max(1).optional().describe('Check: share of failed calls.'),
      }),
    },
    (input, context) =>
      answering(() => {
        const { command, options } = loadOf(input)
        return runner.measure(
          [command],
          input,
          async (folder) => [...(await measuredOptions(input, folder)), ...optionsOf(options)],
          context,
        )
      }),
  )

  server.registerTool(
    'diagnose_mcp_server',
    {
      title: 'Find what is wrong with an MCP server',
      description:
        'Measures what the rules need, then names bottlenecks, leaks, slow tools and errors: each with evidence, confidence and a suggestion.',
      annotations: callsServers,
      inputSchema: z.strictObject({
        ...wanted,
        ...measured,
        kind: z
          .enum(['all', 'cpu', 'memory-leak', 'slow-response', 'errors'])
          .default('all')
          .describe('What is looked for.'),
        duration_seconds: durationSeconds.describe('How long altogether, about; 30 when left out.'),
      }),
    },
    (input, context) =>
      answering(() =>
        runner.measure(
          ['diagnose', input.kind],
          input,
          async (folder) => [
            ...(await measuredOptions(input, folder)),
            ...optionsOf({ duration: seconds(input.duration_seconds) }),
          ],
          context,
        ),
      ),
  )

  server.registerTool(
    'plan_mcp_capacity',
    {
      title: 'Find the capacity of an MCP server',
      description:
        'The highest rate of calls at which a latency is kept; headroom, and what broke first. Takes minutes.',
      annotations: callsServers,
      inputSchema: z.strictObject({
        ...wanted,
        ...measured,
        max_latency_ms: z.number().positive().describe('To keep to.'),
        target_rps: rate.optional().describe('The rate that is needed.'),
        percentile: count.max(99).optional().describe('Of the latency; 95 when left out.'),
        max_error_rate: z.number().min(0).max(1).optional().describe('0.01 when left out.'),
        start_rps: rate.optional().describe('Where to begin; 10 when left out.'),
        max_rps: rate.optional().describe('Not more than this; 10000 when left out.'),
        seconds_per_rate: durationSeconds.describe('10 when left out.'),
      }),
    },
    (input, context) =>
      answering(() =>
        runner.measure(
          ['capacity'],
          input,
          async (folder) => [
            ...(await measuredOptions(input, folder)),
            ...optionsOf({
              'max-latency': milliseconds(input.max_latency_ms),
              'target-rps': input.target_rps,
              percentile: input.percentile,
              'max-error-rate': input.max_error_rate,
              'start-rps': input.start_rps,
              'max-rps': input.max_rps,
              duration: seconds(input.seconds_per_rate),
            }),
          ],
          context,
        ),
      ),
  )
}

interface WantedLoad {
  concurrent?: number[] | undefined
  requests?: number | undefined
  rps?: number | undefined
  duration_seconds?: number | undefined
  ramp_up_seconds?: number | undefined
  max_latency_ms?: number | undefined
  max_error_rate?: number | undefined
}

/** Which command it is: each refuses in its own words what does not go together. */
function loadOf(input: WantedLoad): { command: string; options: Parameters<typeof optionsOf>[0] } {
  const { concurrent, requests, rps, max_latency_ms, max_error_rate } = input
  const duration = seconds(input.duration_seconds)
  const common = {
    concurrent: concurrent?.join(','),
    requests,
    duration,
    'ramp-up': seconds(input.ramp_up_seconds),
  }
  if (max_latency_ms !== undefined || max_error_rate !== undefined) {
    const goals = { 'max-latency': milliseconds(max_latency_ms), 'max-error-rate': max_error_rate }
    return { command: 'test', options: { ...common, 'target-rps': rps, ...goals } }
  }
  if (concurrent !== undefined && concurrent.length > 1) {
    return { command: 'throughput', options: { ...common, rps } }
  }
  return { command: 'load-test', options: { ...common, rps } }
}
