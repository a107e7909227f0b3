import type { Operation } from './operation.ts'

/** What a call costs of the limits of calls. A read is the unit. */
export const callCosts = { read: 1, write: 2, destroy: 2, run: 5 } as const

/** What an agent calls to find its way. Nearly free, so that being careful never costs the work itself. */
const discovery: ReadonlySet<string> = new Set([
  'find_tools',
  'describe_tool',
  'read_guide',
  'get_current_user',
  'get_usage',
])
const discoveryCost = 0.1

export function costOf(operation: Pick<Operation, 'id' | 'effect'>): number {
  return discovery.has(operation.id) ? discoveryCost : callCosts[operation.effect]
}
