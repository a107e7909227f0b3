import { startTestGateway } from '../test-gateway.ts'
import type { ApiAnswer, ApiCaller } from '../api-caller.ts'
import type { TestGateway } from '../test-gateway.ts'

export type Json = Record<string, unknown>
type Headers = Record<string, string>

export interface RpcAnswer {
  id?: unknown
  method?: string
  params?: Json
  result?: Json
  error?: { code: number; message: string; data?: unknown }
}

const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
export const tasksExtension = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** A message with the headers that go with it. */
export interface Sent {
  message: unknown
  headers: Headers
}

export function legacy(method: string, params?: Json, version = '2025-11-25'): Sent {
  return {
    message: { jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) },
    headers: { ...common, 'mcp-protocol-version': version },
  }
}

/** `capabilities` of the client; the name header is taken from the parameters. */
export function modern(method: string, params: Json & { _meta?: Json } = {}, capabilities: Json = {}): Sent {
  const name = params['name'] ?? params['uri'] ?? params['taskId']
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...params['_meta'],
  }
  return {
    message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    headers: {
      ...common,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  }
}

/** An API that answers each operation as it is told to, and 404 to all others. */
export function apiThatAnswers(
  answers: Record<string, ApiAnswer>,
): ApiCaller & { inputs: unknown[]; operations: string[] } {
  const inputs: unknown[] = []
  const operations: string[] = []
  return {
    inputs,
    operations,
    call: async ({ id }, input) => {
      inputs.push(input)
      operations.push(id)
      return answers[id] ?? notFound
    },
    close: () => Promise.resolve(),
  }
}

export function structured(answer: Json, status = 200): ApiAnswer {
  return {
    status,
    body: JSON.stringify({ content: [{ type: 'text', text: 'in words' }], structuredContent: answer }),
  }
}

const notFound: ApiAnswer = {
  status: 404,
  body: '{"content":[{"type":"text","text":"There is no such thing."}],"isError":true}',
}

/** Sends to a gateway that need not listen. */
export async function send(gateway: TestGateway, { message, headers }: Sent, token?: string) {
  const response = await gateway.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${token ?? (await gateway.makeToken())}`, ...headers },
    payload: JSON.stringify(message),
  })
  const isJson = response.headers['content-type']?.toString().includes('json')
  const body = isJson && response.body !== '' ? response.json<RpcAnswer>() : undefined
  return {
    status: response.statusCode,
    headers: response.headers,
    result: body?.result,
    error: body?.error,
  }
}

/** One that listens on loopback, for what is about connections. */
export async function startListeningGateway(apiCaller: ApiCaller) {
  const gateway = await startTestGateway('http://localhost', { apiCaller })
  const url = `${await gateway.app.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  return {
    ...gateway,
    async post({ message, headers }: Sent, options: { token?: string; signal?: AbortSignal } = {}) {
      const token = options.token ?? (await gateway.makeToken())
      return fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body: JSON.stringify(message),
        signal: options.signal ?? null,
      })
    },
  }
}

/** The messages of an event stream, as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<RpcAnswer, void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}
