import { withSpanBelow } from '@flamegate/runtime'

/**
 * Does `work` below the span that a message names in its `_meta` (`traceparent`, `tracestate`, `baggage`), where a
 * client that has many calls on one connection says which of its spans each belongs to.
 * https://modelcontextprotocol.io/seps/414-request-meta
 */
export function belowCaller<T>(message: unknown, work: () => Promise<T>): Promise<T> {
  const meta = objectIn(objectIn(message, 'params'), '_meta')
  if (typeof meta?.['traceparent'] !== 'string') return work()
  const method = isObject(message) ? message['method'] : undefined
  return withSpanBelow(meta, typeof method === 'string' ? method : 'MCP message', work)
}

function objectIn(value: unknown, name: string): Record<string, unknown> | undefined {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
