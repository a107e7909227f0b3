import {
  deserializeMessage,
  type JSONRPCMessage,
  type SSEClientTransport,
} from '@modelcontextprotocol/client'
import { PendingCalls } from './pending-calls.ts'
import { answeredId, isObject, readMessage } from './read-message.ts'
import {
  firstId,
  preparedMessage,
  type CallTrace,
  type McpWire,
  type PreparedRequest,
  type WireAnswer,
} from './wire.ts'

/**
 * Calls over the transport before Streamable HTTP: sent by POST, answered on the one stream of events. They go through the
 * transport of the SDK, and past its protocol.
 */
export function sseWire(transport: SSEClientTransport, timeoutMs: number): McpWire {
  const calls = new PendingCalls(timeoutMs)
  const { onmessage } = transport
  Object.assign(transport, {
    onmessage(message: JSONRPCMessage) {
      const endedAtMs = performance.now()
      const id = isObject(message) ? answeredId(message) : undefined
      if (id === undefined || !calls.has(id) || !isObject(message)) {
        onmessage?.(message)
        return
      }
      const resultBytes = Buffer.byteLength(JSON.stringify(message))
      calls.end(id, { endedAtMs, firstEventAtMs: null, resultBytes, ...readMessage(message) })
    },
    onclose: () =>
      calls.failAll({ kind: 'transport', code: null, message: 'The server closed the stream of events.' }),
  })
  let nextId = firstId
  return {
    prepare: (method, params) => ({ ...preparedMessage(method, params, { meta: null }), head: '' }),
    call({ prefix, suffix, bytes }: PreparedRequest, trace?: CallTrace): Promise<WireAnswer> {
      const id = nextId++
      const text = `${prefix}${id}${suffix}`
      const answer = calls.begin(id, bytes + String(id).length)
      const sending = transport.send(deserializeMessage(text)).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : 'The request could not be sent.'
        calls.fail(id, { kind: 'transport', code: null, message })
      })
      if (trace) void sending.finally(() => (trace.writtenAtMs = performance.now()))
      return answer
    },
    open: () => Promise.resolve(),
    close: () => calls.close(),
  }
}
