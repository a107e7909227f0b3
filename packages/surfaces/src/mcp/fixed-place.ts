import { Problem, type JsonSchema } from '@flamegate/contract'
import type { FixedPlace } from './tool-policy.ts'
import type { Tool } from './tools.ts'

/** Where an address is: ids. */
export interface Place {
  workspaceId: string
  projectId?: string | undefined
}

/**
 * Fields of a tool that the address answers in the caller's place. A repository is a place only where benchmarks are
 * kept by it; elsewhere it is something that a project has.
 */
function placeFields(tool: Tool, fixes: FixedPlace): Map<string, keyof Place> {
  const fields = new Map<string, keyof Place>()
  if (fixes === 'nothing') return fields
  fields.set('workspace_id', 'workspaceId')
  if (fixes === 'project') {
    fields.set('project_id', 'projectId')
    if (tool.operation.toolset === 'benchmarks') fields.set('repository', 'projectId')
  }
  const { properties = {} } = tool.inputSchema
  return new Map([...fields].filter(([field]) => field in properties))
}

/** The input schema without what the address answers. */
export function schemaAt(tool: Tool, fixes: FixedPlace): JsonSchema {
  const fields = placeFields(tool, fixes)
  if (fields.size === 0) return tool.inputSchema
  const { properties = {}, required = [], ...schema } = tool.inputSchema
  const stillRequired = required.filter((field) => !fields.has(field))
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([field]) => !fields.has(field))),
    ...(stillRequired.length > 0 ? { required: stillRequired } : {}),
  }
}

/**
 * What was sent, with what the address answers.
 * @throws Problem `invalid_input` when the caller names another place than the address does
 */
export function inputAt(tool: Tool, sent: Record<string, unknown>, place: Place): Record<string, unknown> {
  const fields = placeFields(tool, place.projectId === undefined ? 'workspace' : 'project')
  const input = { ...sent }
  for (const [field, part] of fields) {
    const value = place[part]
    if ((sent[field] ?? value) !== value) {
      throw new Problem('invalid_input', `The input of ${tool.name} is not valid: look at ${field}.`, {
        errors: [
          { field, message: `This address is about ${String(value)} and nothing else. Leave it out.` },
        ],
      })
    }
    input[field] = value
  }
  return input
}
