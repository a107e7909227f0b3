import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readConfiguration, type McpProfilerConfiguration } from '@flamegate/mcp-profiling/configuration'
import { UsageError } from '../usage-error.ts'
import { relaxedJson } from './relaxed-json.ts'

/** The project's own file: its servers, and how they are measured. */
export const configurationFile = 'mcp-profiler.config.json'

/** What the project's own file says. */
export interface Settings {
  configuration: McpProfilerConfiguration
  /** Paths of keys that are in the file, such as `profiler.outputFormat`: others have their defaults. */
  said: ReadonlySet<string>
}

/** The settings of a working directory; defaults where it has no file. @throws UsageError when it cannot be read */
export function readSettings(cwd: string): Settings {
  let text = '{}'
  try {
    text = readFileSync(path.join(cwd, configurationFile), 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      throw new UsageError(
        `${configurationFile} cannot be read: ${error instanceof Error ? error.message : 'why is not known'}`,
      )
    }
  }
  return settingsOf(text)
}

/** @throws UsageError */
export function settingsOf(text: string): Settings {
  const json = jsonOf(text)
  const read = readConfiguration(json)
  if (read.outcome === 'faulty')
    throw new UsageError(`${configurationFile} is not what it should be:\n${read.faults.join('\n')}`)
  return { configuration: read.configuration, said: new Set(pathsIn(json, '')) }
}

/** @throws UsageError where the file says that nothing is measured */
export function requireEnabled({ configuration }: Settings): void {
  if (configuration.profiler.enabled) return
  throw new UsageError(`Nothing is measured: profiler.enabled is false in ${configurationFile}.`)
}

function jsonOf(text: string): unknown {
  try {
    return relaxedJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`${configurationFile} is not what it should be: ${error.message.split('\n')[0]}`)
  }
}

function pathsIn(value: unknown, prefix: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    `${prefix}${key}`,
    ...pathsIn(inner, `${prefix}${key}.`),
  ])
}
