import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readServerSettings, type ServerSettings } from '@flamegate/mcp-profiling'
import { UsageError } from '../../usage-error.ts'
import { relaxedJson } from '../relaxed-json.ts'
import type { McpTarget } from '../target/mcp-target.ts'

/** The settings of a file. @throws UsageError with all that is wrong with it */
export async function readSettingsFile(file: string, cwd: string): Promise<ServerSettings> {
  const text = await readFile(path.resolve(cwd, file), 'utf8').catch(() => {
    throw new UsageError(`--optimization-config: ${file} cannot be read.`)
  })
  const read = readServerSettings(jsonOf(file, text))
  if (read.outcome === 'read') return read.settings
  throw new UsageError(`${file} is not what it should be:\n${read.faults.join('\n')}`)
}

/** The server, run or asked with these settings. @throws UsageError for those that it cannot have */
export function withSettings(target: McpTarget, settings: ServerSettings): McpTarget {
  const { env, runtimeFlags, args, headers } = settings
  if (target.kind === 'http') {
    if (Object.keys(env).length + runtimeFlags.length + args.length > 0) {
      throw new UsageError(
        `${target.name} runs already, so that env, runtimeFlags and args change nothing: give its command after --, or two URLs to regression-test.`,
      )
    }
    return { ...target, headers: { ...target.headers, ...headers } }
  }
  if (Object.keys(headers).length > 0) {
    throw new UsageError(`${target.name} is spoken to over its standard streams, where there are no headers.`)
  }
  const [program, ...rest] = target.command
  return {
    ...target,
    command: [program, ...runtimeFlags, ...rest, ...args],
    env: { ...target.env, ...env },
  }
}

function jsonOf(file: string, text: string): unknown {
  try {
    return relaxedJson(text)
  } catch {
    throw new UsageError(`${file} is no JSON.`)
  }
}
