import { callTool } from './general/call-tool.ts'
import type { Operation } from './operation.ts'
import type { Principal } from './principal.ts'
import type { Toolset } from './toolset.ts'

/** What a person left a connection besides its scopes. */
export type ConnectionChoices = Pick<Principal, 'toolsets' | 'isReadOnly'>

/**
 * Why a connection may not do this, in words for whoever called; undefined when it may. Scopes are another matter:
 * they can be asked for, this cannot.
 */
export function connectionLimit(operation: Operation, choices: ConnectionChoices): string | undefined {
  const { toolsets, isReadOnly = false } = choices
  if (isReadOnly && !isReading(operation)) {
    return `This connection may only read, and ${operation.id} does more than that. Whoever connected it can change that under Connected apps.`
  }
  if (toolsets !== undefined && !alwaysThere(operation) && !toolsets.includes(operation.toolset)) {
    return `${operation.id} belongs to the toolset ${operation.toolset}, which this connection was not given. It has ${listed(toolsets)}. Whoever connected it can change that under Connected apps.`
  }
  return undefined
}

/** `general` and `get_current_user` come with every toolset. */
export function alwaysThere({ id, toolset }: Operation): boolean {
  return toolset === 'general' || id === 'get_current_user'
}

/** Whether it leaves everything as it is. Of `call_tool` that is decided by what it calls. */
export function isReading({ id, effect }: Operation): boolean {
  return effect === 'read' || id === callTool.id
}

function listed(toolsets: readonly Toolset[]): string {
  return ['general', ...toolsets.filter((name) => name !== 'general')].join(', ')
}
