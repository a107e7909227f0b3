import { lookup } from 'node:dns/promises'
import { httpServer, variable, virtualUser } from '@flamegate/loadtest'
import type { HttpServer, Variable } from '@flamegate/loadtest'
import { runVirtualUser } from '../run-virtual-user.ts'
import { TargetRefused } from '../ports.ts'
import type { ActionResult, PageRunner, TargetGate, UserOutcome, UserPlan } from '../ports.ts'

/** Lets connections to this machine through, and refuses all others. */
export const loopbackGate: TargetGate = {
  resolve: async (host) => {
    const found = await lookup(host, { all: true }).catch(() => [])
    const own = found.filter(({ address }) => address === '::1' || address.startsWith('127.'))
    if (own.length === 0) throw new TargetRefused(`${host} is not a target of this project.`)
    return own.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
  },
}

export interface RunOptions {
  /** Parts of a document, without defaults. */
  document?: Record<string, unknown>
  /** By id; of `srv` alone: its base URL. */
  servers?: Record<string, Record<string, unknown>>
  variables?: readonly Record<string, unknown>[]
  secrets?: Record<string, string>
  files?: Record<string, string | Uint8Array>
  gate?: TargetGate
  iterations?: number
  seed?: number
  signal?: AbortSignal
  pages?: PageRunner
}

export function planOf(actions: readonly Record<string, unknown>[], options: RunOptions = {}): UserPlan {
  let count = 0
  // Bodies, parts of them, and conditions have no ids.
  const withIds = (value: unknown, place = ''): unknown => {
    if (Array.isArray(value)) return value.map((each) => withIds(each, place))
    if (typeof value !== 'object' || value === null) return value
    const own = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withIds(each, key)]))
    const hasId = 'type' in own && place !== 'body' && place !== 'parts'
    return hasId ? { id: `id${++count}`, ...own } : own
  }
  const servers = new Map<string, HttpServer>(
    Object.entries(options.servers ?? {}).map(([id, server]) => [
      id,
      httpServer.parse({ name: id, ...server }),
    ]),
  )
  const files = options.files ?? {}
  return {
    document: virtualUser.parse({ name: 'Test', ...options.document, actions: withIds(actions) }),
    servers,
    variables: (options.variables ?? []).map((each): Variable => variable.parse(each)),
    secrets: new Map(Object.entries(options.secrets ?? {})),
    openFile: async (path) => {
      const file = files[path]
      return typeof file === 'string' ? Buffer.from(file) : file
    },
    gate: options.gate ?? loopbackGate,
    iterations: options.iterations ?? 1,
    seed: options.seed ?? 1,
    signal: options.signal ?? new AbortController().signal,
    pages: options.pages,
  }
}

/** Runs actions, and gives what was told of them. */
export async function run(
  actions: readonly Record<string, unknown>[],
  options: RunOptions = {},
): Promise<{ results: ActionResult[]; outcome: UserOutcome }> {
  const results: ActionResult[] = []
  const outcome = await runVirtualUser(planOf(actions, options), {
    finished: (result) => {
      results.push(result)
    },
  })
  return { results, outcome }
}
