import { catalogue, inputSchemaOf, type Operation } from '@flamegate/contract'

/** A tool as `tools/list` shows it, in the words of the MCP specification. */
export interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: Record<string, unknown>
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

/** Tools that are served together, with their listing made into JSON once. */
export interface ToolRegistry {
  /** By name. */
  operations: ReadonlyMap<string, Operation>
  tools: readonly ListedTool[]
  /** `[{"name":…},…]`: the value of `tools`, ready to be spliced into an answer. */
  toolsJson: string
}

/** Builds the immutable registry of the operations that `include` lets through, in the catalogue's order. */
export function buildToolRegistry(include: (operation: Operation) => boolean = () => true): ToolRegistry {
  const operations = catalogue.filter((operation) => operation.mcp && include(operation))
  const tools = operations.map(listedTool)
  return {
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    tools,
    toolsJson: JSON.stringify(tools),
  }
}

/** The four hints follow from the effect; see "Effect" in the catalogue. */
export function listedTool(operation: Operation): ListedTool {
  return {
    name: operation.id,
    title: operation.title,
    description: operation.description,
    inputSchema: inputSchemaOf(operation),
    annotations: {
      title: operation.title,
      readOnlyHint: operation.effect === 'read',
      destructiveHint: operation.effect === 'destroy' || operation.effect === 'run',
      idempotentHint: operation.idempotent,
      openWorldHint: operation.effect === 'run',
    },
  }
}
