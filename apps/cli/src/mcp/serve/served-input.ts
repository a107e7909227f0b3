import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/** What is common to the inputs of several tools. */

const name = z.string().min(1).max(200)

export const target = name.describe('Name of the server, as list_mcp_targets has it.')

/** What is called. */
export const operationFields = {
  operations: z
    .array(name.regex(/^[^,]+$/, 'No commas.'))
    .min(1)
    .max(100)
    .optional()
    .describe('Tools to call; also tools/list, ping, resources/read:<uri>. Left out: tools that only read.'),
  arguments: z
    .record(
      z.string(),
      z.union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1)]),
    )
    .optional()
    .describe('Arguments by tool, or a list of them to take in turns. Left out: made of the schema.'),
}

/** And what the result is called. */
export const measured = {
  ...operationFields,
  label: z.string().max(200).optional().describe('Version or commit, for compare_mcp_sessions.'),
}

/** Of a tool that calls those of a server, and may slow it down: a client asks its person. */
export const callsServers = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

export const durationSeconds = z.number().min(1).max(3600).optional()

export const session = name.describe('File or label, as list_mcp_sessions has it.')

/** What can stand in a command line. */
type OptionValue = string | number | boolean | undefined

/** `--name=value` for each that is given: none can be taken for another option. */
export function optionsOf(values: Readonly<Record<string, OptionValue>>): string[] {
  return Object.entries(values).flatMap(([option, value]) => {
    if (value === undefined) return []
    if (typeof value === 'boolean') return [value ? `--${option}` : `--no-${option}`]
    return [`--${option}=${value}`]
  })
}

export function seconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${value}s`
}

export function milliseconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${value}ms`
}

interface Measured {
  operations?: string[] | undefined
  arguments?: Record<string, unknown> | undefined
  label?: string | undefined
}

/** Arguments are a file in `folder`: a command line has an end. */
export async function measuredOptions(
  { operations, arguments: given, label }: Measured,
  folder: string,
): Promise<string[]> {
  const file = path.join(folder, 'arguments.json')
  if (given !== undefined) await writeFile(file, JSON.stringify(given))
  return optionsOf({
    operations: operations?.join(','),
    arguments: given === undefined ? undefined : `@${file}`,
    label,
  })
}
