import { showsViews } from '@flamegate/surfaces'
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server'

/**
 * Whether whoever sent a message may show views of results. Since 2026-07-28 each request says so; before, only the first
 * one of a session did, and nobody remembers that here: such hosts pass over what they do not know.
 */
export function mayShowViews(message: unknown): boolean {
  const capabilities = member(member(member(message, 'params'), '_meta'), CLIENT_CAPABILITIES_META_KEY)
  return capabilities === undefined || showsViews(capabilities)
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
