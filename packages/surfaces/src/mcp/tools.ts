import { catalogue, inputSchemaOf, operations, type JsonSchema, type Operation } from '@flamegate/contract'
import { aliases, sharedNames, type Alias } from './octoperf-names.ts'

/** An operation as one tool name stands for it: its own, or another product's. */
export interface Tool {
  name: string
  operation: Operation
  /** Whether the name is another product's. */
  isAlias: boolean
  /** Whether it belongs to the toolset `octoperf_names`. */
  hasOctoperfName: boolean
  title: string
  description: string
  /** What callers send. */
  inputSchema: JsonSchema
  /** What callers sent, as the operation takes it. */
  toInput(sent: Record<string, unknown>): Record<string, unknown>
}

/** Every tool in the order of listings: the catalogue's, then the aliases by name. */
export const tools: readonly Tool[] = [
  ...catalogue.filter((operation) => operation.mcp).map(ownTool),
  ...aliases.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(aliasTool),
]

const byName = new Map(tools.map((tool) => [tool.name, tool]))

export function findTool(name: string): Tool | undefined {
  return byName.get(name)
}

/** Whether it only hands on to another tool, which is then judged in its place. */
export function handsOn({ operation }: Tool): boolean {
  return operation.id === operations.callTool.id
}

/** Whether it takes something away or sets something off: over MCP that is confirmed before it is done. */
export function needsConfirmation(tool: Tool): boolean {
  const { effect } = tool.operation
  return (effect === 'destroy' || effect === 'run') && !handsOn(tool)
}

function ownTool(operation: Operation): Tool {
  return {
    name: operation.id,
    operation,
    isAlias: false,
    hasOctoperfName: sharedNames.has(operation.id),
    title: operation.title,
    description: operation.description,
    inputSchema: inputSchemaOf(operation),
    toInput: (sent) => sent,
  }
}

function aliasTool({ name, operation, fixed = {}, renamed = {} }: Alias): Tool {
  const { properties = {}, required = [], ...schema } = inputSchemaOf(operation)
  const outside = new Map(Object.entries(renamed).map(([theirs, ours]) => [ours, theirs]))
  const shown = Object.keys(properties).filter((field) => !(field in fixed))
  const nameOf = (field: string) => outside.get(field) ?? field
  return {
    name,
    operation,
    isAlias: true,
    hasOctoperfName: true,
    title: operation.title,
    description: `${operation.description} (The same as ${operation.id}.)`,
    inputSchema: {
      ...schema,
      properties: Object.fromEntries(shown.map((field) => [nameOf(field), properties[field] ?? {}])),
      required: required.filter((field) => !(field in fixed)).map(nameOf),
    },
    toInput: (sent) => ({
      ...Object.fromEntries(Object.entries(sent).map(([field, value]) => [renamed[field] ?? field, value])),
      ...fixed,
    }),
  }
}
