import { scopeNames, type Operation } from '@flamegate/contract'
import { buildRequest } from '@flamegate/client'
import { setTimeout as sleep } from 'node:timers/promises'
import { rpc } from '../calls.ts'
import { tokenMinter } from '../minted-tokens.ts'
import { platform } from '../person.ts'
import { createWorld, type World } from '../world.ts'

/** A workspace that has one of everything, and its owner with everything that a client of theirs may get. */
export interface Tenant {
  world: World
  /** An access token of all scopes, for REST or for MCP. */
  token(surface: Surface): Promise<string>
}

export type Surface = 'REST' | 'MCP'

/** Everything that came back. */
export interface Reply {
  status: number
  /** Problem code, or undefined for an answer. */
  code: string | undefined
  body: unknown
  /** Status, headers and body as text. */
  raw: string
}

export async function createTenant(): Promise<Tenant> {
  const world = await createWorld()
  const mint = await tokenMinter()
  const made = new Map<Surface, { token: Promise<string>; until: number }>()
  return {
    world,
    token(surface) {
      const known = made.get(surface)
      if (known !== undefined && known.until > Date.now()) return known.token
      const token = mint({
        userId: world.owner.userId,
        scope: scopeNames.join(' '),
        audience: surface === 'REST' ? `${platform().url}/v1` : platform().mcpUrl,
      })
      made.set(surface, { token, until: Date.now() + 120_000 })
      return token
    },
  }
}

/** Calls an operation. What a limit refuses is called again a little later. */
export async function ask(
  tenant: Tenant,
  surface: Surface,
  operation: Operation,
  input: Record<string, unknown>,
): Promise<Reply> {
  for (;;) {
    const reply = await (surface === 'REST'
      ? askRest(tenant, operation, input)
      : askMcp(tenant, 'tools/call', { name: operation.id, arguments: input }, '/x/all'))
    if (reply.code !== 'rate_limited') return reply
    await sleep(500)
  }
}

async function askRest(tenant: Tenant, operation: Operation, input: Record<string, unknown>): Promise<Reply> {
  const { method, target, headers, body } = requestOf(operation, input)
  return askAddress(tenant, method, target, headers, body)
}

/** As a route of its own; as a tool where the route cannot hold the input. */
function requestOf(operation: Operation, input: Record<string, unknown>): ReturnType<typeof buildRequest> {
  try {
    return buildRequest(operation, input)
  } catch {
    const headers = { 'content-type': 'application/json' }
    return { method: 'POST', target: `/v1/tools/${operation.id}`, headers, body: JSON.stringify(input) }
  }
}

/** Any address below the platform's. */
export async function askAddress(
  tenant: Tenant,
  method: string,
  target: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Reply> {
  const response = await fetch(platform().url + target, {
    method,
    headers: { ...headers, authorization: `Bearer ${await tenant.token('REST')}` },
    ...(body === undefined ? {} : { body }),
  })
  return replyOf(response.status, response.headers, await response.text())
}

/** Any method of MCP. */
export async function askMcp(
  tenant: Tenant,
  method: string,
  params: Record<string, unknown>,
  address = '',
): Promise<Reply> {
  const { status, body, headers } = await rpc(method, params, { token: await tenant.token('MCP') }, address)
  const reply = replyOf(status, headers, JSON.stringify(body ?? null))
  const code = /"isError":true.*?\((\w+)\)|"error":\{"code":(-?\d+)/.exec(reply.raw)
  return { ...reply, code: code?.[1] ?? code?.[2] ?? (status === 200 ? undefined : `http_${status}`) }
}

function replyOf(status: number, headers: Headers, text: string): Reply {
  const body = parsed(text)
  const code = status < 400 ? undefined : String(Reflect.get(Object(body), 'code') ?? status)
  const shown = [...headers].filter(([name]) => !changingHeaders.has(name))
  return { status, code, body, raw: JSON.stringify([status, shown]) + text }
}

/** What differs from answer to answer for everybody. */
const changingHeaders = new Set(['date', 'content-length', 'x-request-id', 'ratelimit', 'keep-alive', 'etag'])

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
