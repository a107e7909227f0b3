import { setTimeout as sleep } from 'node:timers/promises'
import { fieldsOf, inputSchemaOf, type Operation } from '@flamegate/contract'
import { buildRequest } from '@flamegate/client'
import { z } from 'zod'
import { platform } from './person.ts'

/** What came of a call, in the same form for REST and MCP. */
export interface Outcome {
  /** HTTP status; over MCP that of the request itself, 200 for a tool error. */
  status: number
  /** The answer, or undefined for a refusal. */
  answer?: Record<string, unknown>
  /** Problem code, or undefined for an answer. */
  code?: string
  /** What a person or a model would read. */
  text: string
  headers: Headers
}

export type Credential = { cookie: string } | { token: string } | undefined

/** Calls an operation over REST with plain fetch. */
export async function callRest(
  operation: Operation,
  input: Record<string, unknown>,
  credential: Credential,
): Promise<Outcome> {
  const { url } = platform()
  const request = buildRequest(operation, input)
  const response = await fetch(url + request.target, {
    method: request.method,
    headers: { ...request.headers, ...headersOf(credential, url) },
    ...(request.body === undefined ? {} : { body: request.body }),
  })
  const text = await response.text()
  const body = JSON.parse(text)
  return response.ok
    ? { status: response.status, answer: body, text, headers: response.headers }
    : { status: response.status, code: body.code, text: body.detail, headers: response.headers }
}

export type Call = (
  operation: Operation,
  input: Record<string, unknown>,
  credential: Credential,
) => Promise<Outcome>

/** For so many calls in a row that a limit is reached: what it refuses is called again a little later. */
export function patiently(call: Call): Call {
  return async (operation, input, credential) => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const outcome = await call(operation, input, credential)
      if (outcome.code !== 'rate_limited') return outcome
      // oxlint-disable-next-line no-await-in-loop -- see above
      await sleep(500)
    }
  }
}

let nextId = 0

/** Sends one JSON-RPC request to the MCP endpoint, as a client of the 2025-11-25 revision does. */
export async function rpc(
  method: string,
  params: Record<string, unknown>,
  credential: Credential,
  address = '',
): Promise<{ status: number; body: Record<string, unknown> | undefined; headers: Headers }> {
  const { url, mcpUrl } = platform()
  const response = await fetch(mcpUrl + address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headersOf(credential, url),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++nextId, method, params }),
  })
  const text = await response.text()
  const json = text.startsWith('{') ? text : /^data: (\{.*)$/m.exec(text)?.[1]
  return {
    status: response.status,
    body: json === undefined ? undefined : JSON.parse(json),
    headers: response.headers,
  }
}

const toolResult = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
})

/** Calls an operation as an MCP tool, and confirms it when that is asked for. */
export async function callAndConfirm(
  operation: Operation,
  input: Record<string, unknown>,
  credential: Credential,
): Promise<Outcome> {
  const first = await callTool(operation, input, credential)
  const confirm = first.answer?.['confirmation_token']
  return confirm === undefined ? first : callTool(operation, { ...input, confirm }, credential)
}

/** Calls an operation as an MCP tool, at the address that has all of them. */
export async function callTool(
  operation: Operation,
  input: Record<string, unknown>,
  credential: Credential,
): Promise<Outcome> {
  const { status, body, headers } = await rpc(
    'tools/call',
    { name: operation.id, arguments: input },
    credential,
    '/x/all',
  )
  const parsed = toolResult.safeParse(body?.['result'])
  const result = parsed.data
  if (result === undefined) return { status, text: JSON.stringify(body), headers, code: codeOfStatus(status) }
  const text = result.content.map((part) => part.text).join('\n')
  if (result.isError === true)
    return { status, text, headers, code: /\((\w+)\)/.exec(text)?.[1] ?? 'unknown' }
  return {
    status,
    text,
    headers,
    ...(result.structuredContent === undefined ? {} : { answer: result.structuredContent }),
  }
}

function codeOfStatus(status: number): string {
  return status === 401 ? 'unauthenticated' : status === 403 ? 'insufficient_scope' : `http_${status}`
}

function headersOf(credential: Credential, url: string): Record<string, string> {
  if (credential === undefined) return {}
  return 'token' in credential
    ? { authorization: `Bearer ${credential.token}` }
    : { cookie: credential.cookie, origin: url }
}

/** The same input with every id that points at something replaced by one that points at nothing. */
export function pointingNowhere(
  operation: Operation,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const fields = new Set(fieldsOf(inputSchemaOf(operation)).map(([name]) => name))
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      fields.has(name) &&
      typeof value === 'string' &&
      /^(?:usr|ws|inv|prj|env|run|ben|alt|prf|fil|tsk|tok|aud|app)_/.test(value)
        ? value.replace(/_.*/, '_00000000000000000000000000')
        : value,
    ]),
  )
}
