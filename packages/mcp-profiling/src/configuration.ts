import { z } from 'zod'

/**
 * `mcp-profiler.config.json`: the project's own servers, and what is measured when the command line says nothing else. Every
 * key has a default, so that an empty object is a configuration.
 */

const flag = (value: boolean, description: string) => z.boolean().default(value).describe(description)
const share = (value: number, description: string) =>
  z.number().min(0).max(1).default(value).describe(description)

const server = z.union([
  z.strictObject({
    command: z.string().min(1).describe('The program that speaks MCP on its standard input and output.'),
    args: z.array(z.string()).default([]).describe('Its arguments.'),
    env: z.record(z.string(), z.string()).default({}).describe('Added to its environment.'),
    cwd: z.string().min(1).optional().describe('Where it runs; where the profiler runs when left out.'),
  }),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }).describe('Where it answers.'),
    transport: z.enum(['streamable_http', 'sse']).default('streamable_http').describe('How it is spoken to.'),
    headers: z.record(z.string(), z.string()).default({}).describe('Sent with every request.'),
  }),
])

export const mcpProfilerConfiguration = z.strictObject({
  $schema: z.string().optional().describe('Where the schema of this file is, for editors.'),
  mcpServers: z.record(z.string(), server).default({}).describe('Servers by the name that --mcp takes.'),
  operations: z
    .record(
      z.string(),
      z.strictObject({
        arguments: z.record(z.string(), z.unknown()).describe('What the tool is called with.'),
      }),
    )
    .default({})
    .describe('Arguments for tools by name, which go before generated ones.'),
  profiler: z
    .strictObject({
      enabled: flag(true, 'Whether anything is measured.'),
      samplingRate: share(
        0.1,
        'Which share of the calls is recorded where every call cannot be: in production.',
      ),
      maxSamples: z
        .int()
        .min(1)
        .max(10_000_000)
        .default(100_000)
        .describe('No more calls than this are recorded.'),
      outputFormat: z
        .enum(['json', 'markdown', 'html', 'text'])
        .default('json')
        .describe('How reports are written.'),
      realTimeAnalysis: flag(true, 'Whether findings are told while it is measured.'),
      autoOptimization: flag(false, 'Whether settings that cannot change behaviour are tried on their own.'),
    })
    .prefault({})
    .describe('What is recorded, and how it is written.'),
  cpu: z
    .strictObject({
      enabled: flag(true, 'Whether CPU profiles are taken.'),
      samplingInterval: z
        .number()
        .min(0.05)
        .max(1000)
        .default(10)
        .describe('Milliseconds between two samples.'),
      flameGraphs: flag(true, 'Whether flame graphs are made.'),
      callTrees: flag(true, 'Whether call trees are made.'),
      hotPathThreshold: share(0.05, 'From which share of the samples on a path is told as hot.'),
    })
    .prefault({})
    .describe('CPU profiles.'),
  memory: z
    .strictObject({
      enabled: flag(true, 'Whether memory is measured.'),
      heapSnapshots: flag(true, 'Whether heap snapshots are taken where they are asked for.'),
      gcMonitoring: flag(true, 'Whether garbage collections are watched.'),
      leakDetection: flag(true, 'Whether growth is looked for.'),
      allocationTracking: flag(false, 'Whether allocations are sampled, which costs time.'),
    })
    .prefault({})
    .describe('Memory.'),
  performance: z
    .strictObject({
      responseTimeTracking: flag(true, 'Whether the times of calls are recorded.'),
      throughputMeasurement: flag(true, 'Whether calls per second are counted.'),
      resourceMonitoring: flag(true, 'Whether processor, memory and files of the processes are watched.'),
      bottleneckDetection: flag(true, 'Whether reports are diagnosed.'),
    })
    .prefault({})
    .describe('Times and resources.'),
  alerts: z
    .strictObject({
      enabled: flag(true, 'Whether there are alerts.'),
      cpuThreshold: z.number().min(0).max(100).default(80).describe('high_cpu: per cent of all processors.'),
      memoryThreshold: z
        .number()
        .min(0)
        .max(100)
        .default(85)
        .describe('high_memory: per cent of the memory of the machine.'),
      responseTimeThreshold: z
        .number()
        .min(0)
        .default(1000)
        .describe('slow_response: milliseconds, 95th percentile.'),
      errorRateThreshold: share(0.05, 'high_error_rate: share of the calls that failed.'),
    })
    .prefault({})
    .describe('When somebody is told.'),
})
export type McpProfilerConfiguration = z.infer<typeof mcpProfilerConfiguration>

/** The settings, or every fault in words: the path of the key, what was wrong, what would be right. */
export type ReadConfiguration =
  | { outcome: 'read'; configuration: McpProfilerConfiguration }
  | { outcome: 'faulty'; faults: string[] }

export function readConfiguration(json: unknown): ReadConfiguration {
  const read = mcpProfilerConfiguration.safeParse(json)
  if (read.success) return { outcome: 'read', configuration: read.data }
  return { outcome: 'faulty', faults: read.error.issues.map(faultOf) }
}

function faultOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.') || 'the file'
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(issue.path)
    const there = known.length === 0 ? '' : ` There are: ${known.join(', ')}.`
    return `${path}: ${issue.keys.join(', ')} is no setting.${there}`
  }
  if (issue.code === 'invalid_union' && issue.path[0] === 'mcpServers')
    return `${path}: write { "command": "…", "args": ["…"] } for a program, or { "url": "https://…" } for an address.`
  return `${path}: ${issue.message}`
}

function keysAt(path: readonly PropertyKey[]): string[] {
  let at: unknown = configurationJsonSchema()
  for (const part of path) {
    const properties: unknown = Reflect.get(Object(at), 'properties')
    at = Reflect.get(Object(properties), part)
  }
  return Object.keys(Object(Reflect.get(Object(at), 'properties')))
}

/** JSON Schema (2020-12) of the file, for editors. */
export function configurationJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(mcpProfilerConfiguration, { io: 'input' })
}

/** Whether `MCP_PERFORMANCE_DEBUG=true` asks for every step to be told. */
export function isDebugging(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment['MCP_PERFORMANCE_DEBUG'] === 'true'
}
