import { z } from 'zod'

/** What can be measured of an MCP server: commands of `mcp-profiler`. */
export const mcpCommands = [
  'start',
  'profile',
  'cpu',
  'memory',
  'heap-analysis',
  'gc-monitor',
  'memory-leaks',
  'production',
  'load-test',
  'throughput',
  'test',
  'capacity',
  'diagnose',
  'auto-tune',
] as const
export type McpCommand = (typeof mcpCommands)[number]

const count = (max: number) => z.number().int().min(1).max(max)
const rate = z.number().positive().max(100_000)

/** The longest that one measurement takes. */
export const mcpSecondsMax = 86_400

export const mcpOperations = z
  .array(z.string().regex(/^[^,\s]{1,200}$/, 'Names of tools have no commas and no spaces.'))
  .max(100)

/** By tool: arguments, or a list of them that is taken in turns. */
export const mcpArguments = z
  .record(z.string().max(200), z.unknown())
  .refine((all) => Object.values(all).every(isOneOrSeveral), {
    message: 'Give an object, or a list of objects, for each tool.',
  })
  .refine((all) => JSON.stringify(all).length <= 50_000, { message: 'At most 50,000 characters.' })

function isOneOrSeveral(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isObject) : isObject(value)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const mcpLabel = z.string().trim().min(1).max(200)

/** By environment variable: the values to try. */
export const mcpSettings = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'Use the name of an environment variable.'),
    z.array(z.string().max(200)).min(1).max(10),
  )
  .refine((settings) => Object.keys(settings).length <= 10, { message: 'At most ten.' })

/** One measurement, as it is ordered of a collector: the command, and its options. What is left out is the command's default. */
export const mcpMeasurement = z.strictObject({
  command: z.enum(mcpCommands),
  operations: mcpOperations.optional(),
  arguments: mcpArguments.optional(),
  seconds: count(mcpSecondsMax).optional(),
  samples: count(1_000_000).optional(),
  concurrent: z.array(count(10_000)).min(1).max(20).optional(),
  requests: count(100_000_000).optional(),
  rps: rate.optional(),
  ramp_up_seconds: z.number().int().min(0).max(mcpSecondsMax).optional(),
  target_rps: rate.optional(),
  max_latency_ms: z.number().positive().max(3_600_000).optional(),
  target_latency_ms: z.number().positive().max(3_600_000).optional(),
  with_profile: z.boolean().optional(),
  settings: mcpSettings.optional(),
  label: mcpLabel.optional(),
})
export type McpMeasurement = z.output<typeof mcpMeasurement>

/** Numbers of a measurement, with the option that each is and what comes after the number. */
const numberOptions = [
  ['seconds', 'duration', 's'],
  ['samples', 'samples', ''],
  ['requests', 'requests', ''],
  ['rps', 'rps', ''],
  ['ramp_up_seconds', 'ramp-up', 's'],
  ['target_rps', 'target-rps', ''],
  ['max_latency_ms', 'max-latency', 'ms'],
  ['target_latency_ms', 'target-latency', 'ms'],
] as const satisfies readonly (readonly [keyof McpMeasurement, string, string])[]

/** The words of `mcp-profiler` that make a measurement, without those that say of which server. */
export function mcpMeasurementWords(measurement: McpMeasurement): string[] {
  const { command, operations, concurrent, settings, label, with_profile: withProfile } = measurement
  return [
    command,
    ...(operations === undefined || operations.length === 0 ? [] : ['--operations', operations.join(',')]),
    ...(measurement.arguments === undefined || Object.keys(measurement.arguments).length === 0
      ? []
      : ['--arguments', JSON.stringify(measurement.arguments)]),
    ...(concurrent === undefined ? [] : ['--concurrent', concurrent.join(',')]),
    ...numberOptions.flatMap(([field, option, unit]) => {
      const value = measurement[field]
      return value === undefined ? [] : [`--${option}`, `${value}${unit}`]
    }),
    ...(withProfile === true ? ['--profile'] : []),
    ...Object.entries(settings ?? {}).flatMap(([name, values]) => ['--try', `${name}=${values.join(',')}`]),
    ...(label === undefined ? [] : ['--label', label]),
  ]
}
