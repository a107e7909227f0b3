import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answering } from './answering.ts'
import type { CommandRunner } from './run-for-client.ts'
import {
  callsServers,
  durationSeconds,
  measuredOptions,
  milliseconds,
  operationFields,
  optionsOf,
  seconds,
  target,
} from './served-input.ts'

const turns = {
  ...operationFields,
  threshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Smaller changes do not count; 0.05 when left out.'),
  concurrent: z.int().min(1).max(10_000).optional().describe('Calls at a time; 1 when left out.'),
}

/** Tools that measure two servers in turns, or one with several settings. */
export function addTurnsTools(server: McpServer, runner: CommandRunner): void {
  server.registerTool(
    'test_mcp_regression',
    {
      title: 'Test one MCP server against another',
      description:
        'Measures two servers in turns, so that noise falls on both: is current worse than baseline, by how much, how sure? Takes minutes.',
      annotations: callsServers,
      inputSchema: z.strictObject({
        baseline: target.describe('Name of the server of before.'),
        current: target.describe('Name of the server of now.'),
        ...turns,
        duration_seconds: durationSeconds.describe('No pair of blocks begins after it.'),
      }),
    },
    ({ baseline, current, ...input }, context) =>
      answering(() =>
        runner.measureInTurns(
          'regression-test',
          { baseline, current },
          async (folder) => [
            ...(await measuredOptions(input, folder)),
            ...optionsOf({
              threshold: input.threshold,
              concurrent: input.concurrent,
              duration: seconds(input.duration_seconds),
            }),
          ],
          context,
        ),
      ),
  )

  server.registerTool(
    'tune_mcp_server',
    {
      title: 'Try settings of an MCP server',
      description:
        'Tries settings of the runtime that cannot change what a server does, in turns with it as it is, and proposes those that help. Changes nothing. Takes many minutes.',
      annotations: callsServers,
      inputSchema: z.strictObject({
        target,
        ...turns,
        target_latency_ms: z.number().positive().optional().describe('Wanted of p95.'),
        seconds_per_setting: durationSeconds.describe('No pair of blocks of a setting begins after it.'),
      }),
    },
    ({ target: mcp, ...input }, context) =>
      answering(() =>
        runner.measureInTurns(
          'auto-tune',
          { mcp },
          async (folder) => [
            ...(await measuredOptions(input, folder)),
            ...optionsOf({
              threshold: input.threshold,
              concurrent: input.concurrent,
              'target-latency': milliseconds(input.target_latency_ms),
              duration: seconds(input.seconds_per_setting),
            }),
          ],
          context,
        ),
      ),
  )
}
