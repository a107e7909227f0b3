import { chooseOperations, generateArguments } from '@flamegate/mcp-profiling'
import { z } from 'zod'
import { UsageError } from '../../usage-error.ts'
import type { OpenServer } from '../open-server.ts'
import type { McpWire } from '../session/wire.ts'
import type { PlannedOperation } from './planned-operation.ts'

/** Arguments of a tool, or several to be taken in turns. */
export type GivenArguments = Readonly<Record<string, readonly Record<string, unknown>[]>>

export interface AskedOperations {
  /** Tools, methods (`tools/list`, `ping`), `resources/read:<uri>`, `prompts/get:<name>`; empty: what only reads. */
  named: readonly string[]
  /** Which of the named tools may be called though they do not say that they only read; undefined: all of them. */
  mayChange: readonly string[] | undefined
  given: GivenArguments
  /** Whether lists and a resource are among what is taken when nothing is named. */
  isWide: boolean
}

export interface PlannedOperations {
  operations: readonly [PlannedOperation, ...PlannedOperation[]]
  /** What is not called and why, for people. */
  notes: string[]
}

/** Calls of a tool whose arguments are made take so many in turns. */
const variants = 5

const methods: ReadonlySet<string> = new Set([
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
])

/** @throws UsageError when something that was named cannot be called, or there is nothing that may be */
export async function planOperations(server: OpenServer, asked: AskedOperations): Promise<PlannedOperations> {
  const { tools, session } = server
  const { wire } = session
  const namedTools = asked.named.filter((name) => !isMethod(name))
  const isAnyNamed = asked.named.length > 0
  const choice =
    isAnyNamed && namedTools.length === 0
      ? { chosen: [], leftOut: [] }
      : chooseOperations(tools, { named: namedTools, givenArguments: firstOf(asked.given) })
  const refused = [
    ...choice.leftOut.filter(({ name }) => namedTools.includes(name)),
    ...notAllowed(server, namedTools, asked.mayChange),
  ]
  if (refused.length > 0) {
    throw new UsageError(refused.map(({ name, reason }) => `${name} cannot be called: ${reason}`).join('\n'))
  }
  const planned = [
    ...choice.chosen.map((each) =>
      toolCalls(
        wire,
        each.name,
        each.areArgumentsGiven ? (asked.given[each.name] ?? []) : others(server, each),
      ),
    ),
    ...asked.named.filter(isMethod).map((name) => methodCalls(wire, name)),
    ...(isAnyNamed || !(asked.isWide || choice.chosen.length === 0) ? [] : await whatElseReads(server)),
  ]
  const [first, ...rest] = planned
  if (first === undefined) {
    throw new UsageError(
      `There is nothing that may be called unasked: name tools with --operations. ${choice.leftOut.map(({ name, reason }) => `${name}: ${reason}`).join(' ')}`,
    )
  }
  const left = isAnyNamed ? [] : choice.leftOut.map(({ name, reason }) => `${name} was not called: ${reason}`)
  return { operations: [first, ...rest], notes: left }
}

/** Who names tools for others says with `--may-change` what they may name. */
function notAllowed(
  { tools }: OpenServer,
  named: readonly string[],
  mayChange: readonly string[] | undefined,
): { name: string; reason: string }[] {
  if (mayChange === undefined) return []
  return tools
    .filter(({ name }) => named.includes(name) && !mayChange.includes(name))
    .filter(({ annotations }) => annotations?.readOnlyHint !== true || annotations.destructiveHint === true)
    .map(({ name }) => ({
      name,
      reason: 'it does not say that it only reads, and --may-change does not allow it.',
    }))
}

function isMethod(name: string): boolean {
  return methods.has(name) || name.startsWith('resources/read:') || name.startsWith('prompts/get:')
}

function firstOf(given: GivenArguments): Record<string, Record<string, unknown>> {
  return Object.fromEntries(Object.entries(given).map(([name, [first]]) => [name, first ?? {}]))
}

/** The arguments that were made, with the first seed, and some more with the seeds after it. */
function others(
  { tools }: OpenServer,
  { name, arguments: first }: { name: string; arguments: Record<string, unknown> },
): Record<string, unknown>[] {
  const schema = tools.find((tool) => tool.name === name)?.inputSchema
  const made = Array.from({ length: variants - 1 }, (_, index) => generateArguments(schema, index + 2))
  return [first, ...made.flatMap((each) => (each.outcome === 'generated' ? [each.arguments] : []))]
}

function toolCalls(wire: McpWire, name: string, all: readonly Record<string, unknown>[]): PlannedOperation {
  const [first = {}, ...rest] = all
  const prepare = (input: Record<string, unknown>) => wire.prepare('tools/call', { name, arguments: input })
  return { method: 'tools/call', name, requests: [prepare(first), ...rest.map(prepare)] }
}

function methodCalls(wire: McpWire, text: string): PlannedOperation {
  const colon = text.indexOf(':')
  const method = colon === -1 ? text : text.slice(0, colon)
  const name = colon === -1 ? null : text.slice(colon + 1)
  const params = name === null ? {} : method === 'prompts/get' ? { name } : { uri: name }
  return { method, name, requests: [wire.prepare(method, params)] }
}

const resources = z.object({ resources: z.array(z.object({ uri: z.string() })) })

async function whatElseReads({ session: { wire, capabilities } }: OpenServer): Promise<PlannedOperation[]> {
  const found: PlannedOperation[] = []
  if (capabilities.has('tools')) found.push(methodCalls(wire, 'tools/list'))
  if (capabilities.has('prompts')) found.push(methodCalls(wire, 'prompts/list'))
  if (capabilities.has('resources')) {
    found.push(methodCalls(wire, 'resources/list'))
    const { result } = await wire.call(wire.prepare('resources/list', {}))
    const [first] = resources.safeParse(result).data?.resources ?? []
    if (first !== undefined) found.push(methodCalls(wire, `resources/read:${first.uri}`))
  }
  return found.length === 0 ? [methodCalls(wire, 'ping')] : found
}
