import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { jsonOption, type CommandLine, type Option } from '../arguments/command-line.ts'
import { readDuration } from '../capture/read-duration.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { withoutByteOrderMark } from '../without-byte-order-mark.ts'
import type { AskedOperations, GivenArguments } from './load/plan-operations.ts'
import { readSettings } from './settings.ts'
import type { AskedTarget } from './target/find-target.ts'

/** Which server, and how it is spoken to. */
export const targetOptions: readonly Option[] = [
  {
    name: 'mcp',
    value: '<name|url>',
    description:
      'The server: its name in mcp-profiler.config.json, .mcp.json, or the file of Claude Code, Codex, VS Code or Cursor; or its URL. A command comes after --.',
  },
  {
    name: 'header',
    value: '<name: value>',
    isRepeatable: true,
    description: 'Sent with every request to a URL.',
  },
  {
    name: 'env',
    value: '<NAME=value>',
    isRepeatable: true,
    description: 'Given to a server that is started.',
  },
  { name: 'sse', description: 'Speak the transport of 2024 to the URL: HTTP with Server-Sent Events.' },
  {
    name: 'timeout',
    value: '<time>',
    description: 'A call without an answer has failed then; 30s when left out.',
  },
  {
    name: 'project',
    value: '<id>',
    description: 'Project (prj_…) whose verified targets may be aimed at; FLAMEGATE_PROJECT when left out.',
  },
]

/** What is called. */
export const operationOptions: readonly Option[] = [
  {
    name: 'operations',
    value: '<names>',
    description:
      'Tools to call, with commas between; also tools/list, ping, resources/read:<uri> and the like. Left out: tools that say that they only read.',
  },
  {
    name: 'may-change',
    value: '<names>',
    description:
      'Of the tools that are named, those that may be called though they do not say that they only read; all when left out.',
  },
  {
    name: 'arguments',
    value: '<json|@file>',
    description:
      'Arguments by tool, such as {"search": {"query": "x"}}; a list of them is taken in turns. Others are made of the schema.',
  },
  {
    name: 'warm-up',
    value: '<n>',
    description: 'Calls of each operation that are not counted; 10 when left out.',
  },
]

export const uploadOption: Option = {
  name: 'upload',
  description:
    'Upload the report and its profiles to the project, when logged in, which is the default; --no-upload: do not.',
}

/** Of commands that measure: where what they found is kept. */
export const storeOptions: readonly Option[] = [
  { name: 'keep', description: 'Keep the report in .mcp-profiler, which is the default; --no-keep: do not.' },
  uploadOption,
]

/** Where the report goes. */
export const reportOptions: readonly Option[] = [
  { name: 'label', value: '<text>', description: 'A version or commit, for compare to find it by.' },
  { name: 'output', value: '<file>', description: 'Write the report there: .json, .md or .html.' },
  {
    name: 'format',
    value: '<name>',
    description: 'What is printed: text (the default), json, markdown, html.',
  },
  { ...jsonOption, description: 'The same as --format json.' },
  ...storeOptions,
]

export function askedTarget(line: CommandLine): AskedTarget {
  return {
    mcp: line.text('mcp'),
    words: line.positionals,
    headers: line.list('header') ?? [],
    env: line.list('env') ?? [],
    isSse: line.flag('sse') === true,
  }
}

const givenArguments = z.record(
  z.string(),
  z.union([
    z.record(z.string(), z.unknown()).transform((one) => [one]),
    z.array(z.record(z.string(), z.unknown())).min(1),
  ]),
)

/** @throws UsageError */
export async function askedOperations(
  line: CommandLine,
  { cwd }: Terminal,
  isWide: boolean,
): Promise<AskedOperations> {
  const mayChange = line.text('may-change')
  return {
    named: listOf(line.text('operations')),
    mayChange: mayChange === undefined ? undefined : listOf(mayChange),
    given: { ...configuredArguments(cwd), ...(await readArguments(line.text('arguments'), cwd)) },
    isWide,
  }
}

/** Of the configuration, by tool. */
function configuredArguments(cwd: string): GivenArguments {
  const { operations } = readSettings(cwd).configuration
  return Object.fromEntries(Object.entries(operations).map(([name, { arguments: input }]) => [name, [input]]))
}

async function readArguments(text: string | undefined, cwd: string): Promise<GivenArguments> {
  if (text === undefined) return {}
  const json = text.startsWith('@')
    ? await readFile(path.resolve(cwd, text.slice(1)), 'utf8').catch(() => {
        throw new UsageError(`--arguments: ${text.slice(1)} cannot be read.`)
      })
    : text
  const read = givenArguments.safeParse(parsed(json))
  if (read.success) return read.data
  throw new UsageError('--arguments is to be JSON with an object, or a list of objects, for each tool.')
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(json))
  } catch {
    return undefined
  }
}

export function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** @throws UsageError */
export function durationMsOf(line: CommandLine, name: string, otherwise: string): number {
  return 1000 * readDuration(name, line.text(name) ?? otherwise)
}

/** A whole number from 1 on; undefined when it was not given. @throws UsageError */
export function countOf(line: CommandLine, name: string, max: number, min = 1): number | undefined {
  const text = line.text(name)
  if (text === undefined) return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= min && count <= max) return count
  throw new UsageError(`--${name} ${text} is to be a whole number from ${min} to ${max}.`)
}

/** Calls per second. @throws UsageError */
export function rateOf(line: CommandLine, name: string): number | undefined {
  const text = line.text(name)
  if (text === undefined) return undefined
  const rate = Number(text)
  if (rate > 0 && rate <= rateMax) return rate
  throw new UsageError(`--${name} ${text} is to be a number of calls per second, up to ${rateMax}.`)
}

/** `100ms`, `1.5s`, or a number of milliseconds. @throws UsageError */
export function latencyMsOf(line: CommandLine, name: string): number | undefined {
  const text = line.text(name)
  if (text === undefined) return undefined
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/.exec(text.trim())
  const latencyMs = Number(match?.[1]) * (match?.[2] === 's' ? 1000 : 1)
  if (latencyMs > 0) return latencyMs
  throw new UsageError(`--${name} ${text} is no latency. Write it such as 100ms or 1.5s.`)
}

/** `10%` or `0.1`, as a share from 0 to 1. @throws UsageError */
export function shareOf(line: CommandLine, name: string): number | undefined {
  const text = line.text(name)
  if (text === undefined) return undefined
  const match = /^(\d+(?:\.\d+)?)\s*(%)?$/.exec(text.trim())
  const share = Number(match?.[1]) / (match?.[2] === undefined ? 1 : 100)
  if (share >= 0 && share <= 1) return share
  throw new UsageError(`--${name} ${text} is no share. Write it such as 10% or 0.1.`)
}

/** `10MB` (of 1,000,000 bytes), `10MiB` (of 1,048,576), or a number of bytes. @throws UsageError */
export function bytesOf(line: CommandLine, name: string): number | undefined {
  const text = line.text(name)
  if (text === undefined) return undefined
  const [, number, prefix = '', binary] = /^(\d+(?:\.\d+)?)\s*(?:([kmg]?)(i?)b)?$/i.exec(text.trim()) ?? []
  const power = ['', 'k', 'm', 'g'].indexOf(prefix.toLowerCase())
  const bytes = Number(number) * (binary ? 1024 : 1000) ** power
  if (bytes > 0) return bytes
  throw new UsageError(`--${name} ${text} is no size. Write it such as 10MB, 512KiB or 1000000.`)
}

export const concurrentMax = 10_000
const rateMax = 100_000
