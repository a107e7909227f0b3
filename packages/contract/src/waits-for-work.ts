import type { Operation } from './operation.ts'

/** Whether its calls are kept open until there is something to do: an agent or collector that is idle has one all the time. */
export function waitsForWork({ mcp, input }: Pick<Operation, 'mcp' | 'input'>): boolean {
  return !mcp && 'wait_seconds' in input.shape
}
