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

async function run({ url, token, call, connections, seconds, hasSession }: LoadOrder): Promise<LoadResult> {
  const session = hasSession === true ? await beginSession(url) : undefined
  const requestText = (id: number) => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"${call}","params":${paramsOf[call]}}`
    return mcpRequestText(token, 'localhost', body, session)
  }
  return runClosedLoop({ url, connections, seconds, requestText, isAnswer: isRpcResult })
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
