import type { Exchange, Sent } from '../exchange.ts'

type Headers = Readonly<Record<string, string>>

/**
 * What each request after `initialize` says: the revision that was agreed on, and the session, where the server keeps one.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export function sessionHeaders({ headers }: Sent, revision: string): Headers {
  const id = headers['mcp-session-id']
  return { 'mcp-protocol-version': revision, ...(id === undefined ? {} : { 'mcp-session-id': id }) }
}

/** Nobody speaks in this session any more. A server may refuse to be told so, and forgets it in time. */
export async function endSession(send: Exchange, url: string, headers: Headers): Promise<void> {
  if (headers['mcp-session-id'] === undefined) return
  await send({ method: 'DELETE', url, headers, isProbe: true })
}
