import { availableParallelism } from 'node:os'
import path from 'node:path'
import { safeSettings, type TunedRuntime, type TunedSetting } from '@flamegate/mcp-profiling'
import { UsageError } from '../../usage-error.ts'
import type { StdioTarget } from '../target/mcp-target.ts'

/** What is tried: values that the user lists, and the settings of the runtime, without those of the same names. */
export function candidatesOf({ command }: StdioTarget, tries: readonly string[]): TunedSetting[] {
  const listed = tries.flatMap(listedValues)
  const names = new Set(listed.map(({ variable }) => variable))
  const known = safeSettings(runtimeOf(command), availableParallelism())
  return [...listed, ...known.filter(({ variable }) => !names.has(variable))]
}

/** Of the program that the command names, or of what it runs others with. */
function runtimeOf(command: readonly string[]): TunedRuntime {
  const programs: readonly [RegExp, TunedRuntime][] = [
    [/^(?:node|npx|npm|pnpm|yarn|tsx)$/, 'node'],
    [/^(?:python[\d.]*|uv|uvx|pipx)$/, 'python'],
    [/^java$/, 'java'],
    [/^go$/, 'go'],
  ]
  const program = command.find((word, at) => !(at === 0 && word === 'env') && !/^[A-Za-z_]\w*=/.test(word))
  const name = path.basename(program ?? '').replace(/\.(?:exe|cmd)$/, '')
  return programs.find(([names]) => names.test(name))?.[1] ?? 'other'
}

function listedValues(text: string): TunedSetting[] {
  const [, variable, list = ''] = /^([A-Za-z_]\w*)=(.+)$/s.exec(text) ?? []
  if (variable === undefined) {
    throw new UsageError(`--try ${text} is to be a variable with values, such as --try POOL_SIZE=5,10,20.`)
  }
  return list.split(',').map((value) => ({ setting: variable, variable, value, isAdded: false }))
}
