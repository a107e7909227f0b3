import type { Operation } from './operation.ts'
import * as exported from './operations.ts'

/** All operations in a stable order: by toolset, then by name. */
export const catalogue: readonly Operation[] = (Object.values(exported) as unknown[])
  .filter(isOperation)
  .toSorted((a, b) => compare(a.toolset, b.toolset) || compare(a.id, b.id))

const byId = new Map(catalogue.map((operation) => [operation.id, operation]))

/** The operation of that name, whether it is a tool or not. */
export function findOperation(id: string): Operation | undefined {
  return byId.get(id)
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'id' in value && 'http' in value && 'input' in value
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
