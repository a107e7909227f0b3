import { fieldsOf, isReading, toolOutputSchemaOf, type JsonSchema } from '@flamegate/contract'
import { schemaAt } from './fixed-place.ts'
import { leanInputSchema, leanTitle } from './lean-listing.ts'
import { isListed, type ToolPolicy } from './tool-policy.ts'
import { needsConfirmation, tools, type Tool } from './tools.ts'
import { viewMeta } from './views.ts'

/** A tool as `tools/list` shows it, in the words of the MCP specification. */
export interface ListedTool {
  name: string
  /** Left out where it would say no more than the name. */
  title?: string
  description: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
  /** What extensions say of it. */
  _meta?: Record<string, unknown>
}

/** Tools that are listed together, with their listing made into JSON once. */
export interface ToolRegistry {
  tools: readonly ListedTool[]
  /** `[{"name":…},…]`: the value of `tools`, ready to be spliced into an answer. */
  toolsJson: string
}

/** What an address lists to one kind of caller, in the order of the catalogue. */
export function buildToolRegistry(policy: ToolPolicy): ToolRegistry {
  const listed = tools.filter((tool) => isListed(tool, policy)).map((tool) => listedTool(tool, policy))
  return { tools: listed, toolsJson: JSON.stringify(listed) }
}

/** The four hints follow from the effect; see "Effect" in the catalogue. */
function listedTool(tool: Tool, { fixes, hasOutputSchemas, hasViews, isReadOnly }: ToolPolicy): ListedTool {
  const { effect, idempotent } = tool.operation
  // call_tool does what the tool does that it calls, and that is nothing but reading here.
  const onlyReads = effect === 'read' || (isReadOnly && isReading(tool.operation))
  const asksFirst = needsConfirmation(tool)
  const schema = leanInputSchema(schemaAt(tool, fixes))
  const title = leanTitle(tool.name, tool.title)
  const meta = hasViews === true ? viewMeta(tool.operation) : undefined
  return {
    name: tool.name,
    ...(title === undefined ? {} : { title }),
    description: tool.description,
    inputSchema: asksFirst ? withConfirmation(schema) : schema,
    // What is confirmed answers something else first, and call_tool whatever the tool does that it calls.
    ...(hasOutputSchemas && (effect === 'read' || effect === 'write')
      ? { outputSchema: { ...toolOutputSchemaOf(tool.operation) } }
      : {}),
    annotations: {
      readOnlyHint: onlyReads,
      destructiveHint: !onlyReads && (effect === 'destroy' || effect === 'run'),
      idempotentHint: onlyReads || idempotent,
      openWorldHint: !onlyReads && effect === 'run',
    },
    ...(meta === undefined ? {} : { _meta: meta }),
  }
}

/** The field in which a token comes back, unless the operation has one of that name that says the same and more. */
export const confirmField = 'confirm'

function withConfirmation(schema: JsonSchema): Record<string, unknown> {
  if (fieldsOf(schema).some(([name]) => name === confirmField)) return { ...schema }
  return {
    ...schema,
    properties: {
      ...schema.properties,
      [confirmField]: {
        type: 'string',
        description: 'Leave it out at first: the answer then says what to send here.',
      },
    },
  }
}
