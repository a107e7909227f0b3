import type { McpCommand, McpMeasurement } from '@flamegate/contract'
import { mcpCommands, mcpSecondsMax } from '@flamegate/contract/mcp-servers/mcp-measurement'
import { z } from 'zod'
import { mcpCommands as commandsHere } from '../mcp/commands/commands.ts'

const texts = z.record(z.string(), z.string())

/** A person starts it instead of the server, so that nobody else can. */
const byPersons: ReadonlySet<McpCommand> = new Set(['production'])

/** What this program can measure for others. */
const measurable = mcpCommands.filter(
  (name) => !byPersons.has(name) && commandsHere.some((each) => each.name === name),
)

/** An MCP server in the file of a collector. */
export const allowedMcpServer = z
  .strictObject({
    command: z.tuple([z.string().min(1)], z.string()).optional(),
    /** Where the command runs; where the collector does when left out. */
    cwd: z.string().optional(),
    /** Of the command. */
    env: texts.default({}),
    url: z.url({ protocol: /^https?$/ }).optional(),
    transport: z.enum(['streamable_http', 'sse']).default('streamable_http'),
    headers: texts.default({}),
    /** What may be measured. */
    commands: z.array(z.enum(mcpCommands)).min(1).optional(),
    /** Tools that may be called; those that say that they only read when left out. */
    operations: z
      .array(z.string().regex(/^[^,\s]{1,200}$/, 'names of tools have no commas and no spaces'))
      .max(100)
      .default([]),
    /** By tool; they go before those that the platform sends. */
    arguments: z
      .record(
        z.string(),
        z.union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1)]),
      )
      .default({}),
    /** Whether tools may be called with arguments that the platform sends. */
    takes_arguments: z.boolean().default(false),
    /** Values of environment variables that may be tried. */
    settings: z.record(z.string().max(100), z.array(z.string().max(200)).min(1).max(10)).default({}),
    seconds_max: z.int().min(1).max(mcpSecondsMax).default(600),
    rps_max: z.number().positive().max(100_000).default(100),
    concurrent_max: z.int().min(1).max(10_000).default(10),
    description: z.string().max(200).optional(),
  })
  .superRefine(({ command, url, cwd, env, headers, commands }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if ((command === undefined) === (url === undefined)) refuse('give command or url, and one of them alone')
    if (command === undefined && (cwd !== undefined || Object.keys(env).length > 0))
      refuse('cwd and env are of a command')
    if (url === undefined && Object.keys(headers).length > 0) refuse('headers are of a url')
    const unknown = commands?.filter((name) => !measurable.includes(name)) ?? []
    if (unknown.length > 0) {
      context.addIssue({
        code: 'custom',
        message: `${unknown.join(', ')} cannot be measured for others. There are: ${measurable.join(', ')}`,
        path: ['commands'],
      })
    }
  })

/** One MCP server that a collector may measure. */
export interface AllowedMcpServer {
  name: string
  /** As `mcp-profiler.config.json` has it. */
  entry:
    | { command: string; args: string[]; env: Record<string, string>; cwd?: string }
    | { url: string; transport: 'streamable_http' | 'sse'; headers: Record<string, string> }
  commands: readonly McpCommand[]
  operations: readonly string[]
  arguments: NonNullable<McpMeasurement['arguments']>
  takesArguments: boolean
  settings: Readonly<Record<string, readonly string[]>>
  secondsMax: number
  rpsMax: number
  concurrentMax: number
  description: string | undefined
}

export function allowedMcpServerOf(name: string, read: z.output<typeof allowedMcpServer>): AllowedMcpServer {
  return {
    name,
    entry: entryOf(name, read),
    // Without settings there is nothing to try.
    commands:
      read.commands ??
      measurable.filter((each) => each !== 'auto-tune' || Object.keys(read.settings).length > 0),
    operations: read.operations,
    arguments: read.arguments,
    takesArguments: read.takes_arguments,
    settings: read.settings,
    secondsMax: read.seconds_max,
    rpsMax: read.rps_max,
    concurrentMax: read.concurrent_max,
    description: read.description,
  }
}

function entryOf(
  name: string,
  { command, env, cwd, url, transport, headers }: z.output<typeof allowedMcpServer>,
): AllowedMcpServer['entry'] {
  if (command !== undefined) {
    const [program, ...args] = command
    return { command: program, args, env, ...(cwd === undefined ? {} : { cwd }) }
  }
  if (url !== undefined) return { url, transport, headers }
  throw new TypeError(`${name} has no target`)
}
