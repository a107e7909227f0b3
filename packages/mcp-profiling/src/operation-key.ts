import type { McpOperation } from './report.ts'

/** What an operation is called for people: the tool alone where it is one, else the method with what it was asked for. */
export function operationTitle({ method, name }: Pick<McpOperation, 'method' | 'name'>): string {
  if (name === null) return method
  return method === 'tools/call' ? name : `${method} ${name}`
}

/** The same operation has the same key in every report. */
export function operationKey({ method, name }: Pick<McpOperation, 'method' | 'name'>): string {
  return JSON.stringify([method, name])
}

/** Calls that did not end well. */
export function failedCalls({ failures }: Pick<McpOperation, 'failures'>): number {
  return failures.reduce((sum, { count }) => sum + count, 0)
}
