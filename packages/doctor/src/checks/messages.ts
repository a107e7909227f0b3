/** Revisions of the protocol that the doctor speaks. */
export const revisions = { legacy: '2025-11-25', modern: '2026-07-28' } as const

const clientInfo = { name: 'flamegate-doctor', title: 'Flamegate connection doctor', version: '1.0.0' }

export const legacyHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': revisions.legacy,
}

export const initializeMessage = legacyMessage(1, 'initialize', {
  protocolVersion: revisions.legacy,
  capabilities: {},
  clientInfo,
})

/** Told to servers of 2025-11-25 before anything is asked of them. */
export const initializedMessage = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })

/** A request of 2025-11-25; no other of its session has its number. */
export function legacyMessage(id: number, method: string, params: Record<string, unknown>): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** A request of 2026-07-28, which says everything about itself. */
export function modernRequest(method: string, params: Record<string, unknown> = {}) {
  const name = params['name']
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revisions.modern,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': clientInfo,
  }
  return {
    headers: {
      ...legacyHeaders,
      'mcp-protocol-version': revisions.modern,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  }
}
