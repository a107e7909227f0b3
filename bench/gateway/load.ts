import { callerAssertionHeader } from '@flamegate/auth'
import { mediaTypes } from '@flamegate/surfaces'
import { isRpcResult, mcpRequestText, runClosedLoop } from './closed-loop.ts'
import type { LoadResult } from './closed-loop.ts'

/** One measurement. The process does them as they come, over IPC. */
export interface LoadOrder {
  url: string
  token: string
  call: 'tools/call' | 'tools/list'
  connections: number
  seconds: number
  /** The server answers only within a session, which is begun first. */
  hasSession?: boolean
  /** How many requests a second, all connections together; as many as are answered when left out. */
  perSecond?: number
  /** The API itself is asked, with the gateway's word for who is calling. */
  assertion?: string
}

const paramsOf = {
  'tools/call': '{"name":"find_tools","arguments":{"query":"flame graph profile","limit":5}}',
  'tools/list': '{}',
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: '' })

async function run(order: LoadOrder): Promise<LoadResult> {
  const { url, token, call, connections, seconds, perSecond, assertion } = order
  const everyMs = perSecond === undefined ? undefined : (connections * 1000) / perSecond
  if (assertion !== undefined) {
    const text = apiRequestText(assertion)
    return runClosedLoop({
      url,
      connections,
      seconds,
      everyMs,
      requestText: () => text,
      isAnswer: isToolResult,
    })
  }
  const session = order.hasSession === true ? await beginSession(url) : undefined
  const requestText = (id: number) => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"${call}","params":${paramsOf[call]}}`
    return mcpRequestText(token, 'localhost', body, session)
  }
  return runClosedLoop({ url, connections, seconds, everyMs, requestText, isAnswer: isRpcResult })
}

/** The call as the gateway makes it. */
function apiRequestText(assertion: string): string {
  const body = '{"query":"flame graph profile","limit":5}'
  const head = [
    'POST /v1/tools/find_tools HTTP/1.1',
    'host: localhost',
    `${callerAssertionHeader}: ${assertion}`,
    'content-type: application/json',
    `accept: ${mediaTypes.toolResult}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

function isToolResult(text: string): boolean {
  return Array.isArray(JSON.parse(text).content)
}

/** The id of a new session (2025-11-25, basic/transports, "Session Management"). */
async function beginSession(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  }
  const post = (message: object, more: Record<string, string> = {}) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const answer = await post({ id: 0, method: 'initialize', params })
  await answer.text()
  const session = answer.headers.get('mcp-session-id')
  if (session === null) throw new Error(`There is no session: ${answer.status}`)
  await post({ method: 'notifications/initialized' }, { 'mcp-session-id': session })
  return session
}
