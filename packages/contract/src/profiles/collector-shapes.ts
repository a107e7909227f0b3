import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { mcpCommands, mcpOperations, mcpSecondsMax } from '../mcp-servers/mcp-measurement.ts'
import { mcpTransports } from '../mcp-servers/mcp-shapes.ts'
import { captureKindNames, captureTypes, longestCaptureSeconds } from './capture-kinds.ts'

/** What a collector may run: named by whoever runs it, who alone knows where it leads. */
export const offeredCapture = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')
    .describe('Its name.'),
  kind: z.enum(captureKindNames).describe('With what it is taken.'),
  types: z.array(z.enum(captureTypes)).min(1).max(captureTypes.length).describe('What may be measured.'),
  seconds_max: z.number().int().min(1).max(longestCaptureSeconds).describe('The longest that it may take.'),
  description: z.string().max(200).optional().describe('What it is of, in words.'),
})

/** An MCP server that a collector may measure: named by whoever runs it, who alone knows where it leads. */
export const offeredMcpServer = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')
    .describe('Its name: that of the MCP target.'),
  transport: z.enum(mcpTransports).describe('How it is spoken to.'),
  commands: z.array(z.enum(mcpCommands)).min(1).max(mcpCommands.length).describe('What may be measured.'),
  operations: mcpOperations.describe('Tools that may be called; none: those that say they only read.'),
  seconds_max: z.number().int().min(1).max(mcpSecondsMax).describe('The longest that one may take.'),
  rps_max: z.number().positive().max(100_000).describe('The highest rate.'),
  concurrent_max: z.number().int().min(1).max(10_000).describe('Most calls at once.'),
  settings: z.array(z.string().max(100)).max(100).describe('Environment variables that may be tried.'),
  description: z.string().max(200).optional().describe('What it is, in words.'),
})

export const collectorName = z
  .string()
  .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')
  .describe('Name of the collector, of which a project has one.')

export const collectorShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  version: z.string(),
  is_connected: z.boolean().describe('It was heard of within the last minute.'),
  last_seen_at: timestamp,
  captures: z.array(offeredCapture),
  mcp_servers: z.array(offeredMcpServer),
})

export const exampleCollector: z.output<typeof collectorShape> = {
  id: 'col_01',
  project_id: 'prj_01',
  name: 'staging',
  version: '0.1.0',
  is_connected: true,
  last_seen_at: '2026-11-20T10:00:00.000Z',
  captures: [
    {
      name: 'shop',
      kind: 'pprof',
      types: ['cpu', 'heap'],
      seconds_max: 60,
      description: 'One instance of the shop',
    },
  ],
  mcp_servers: [
    {
      name: 'notes',
      transport: 'streamable_http',
      commands: ['profile', 'cpu', 'load-test', 'start'],
      operations: ['look_up'],
      seconds_max: 300,
      rps_max: 100,
      concurrent_max: 10,
      settings: [],
    },
  ],
}
