import { newId, operations, type InputOf } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { ruleOnWire } from './on-wire.ts'
import { dotted, given, parseDesign } from './parse-design.ts'

export const createCorrelationRule = implement(operations.createCorrelationRule)(async (input, context) => {
  const { caller, deps } = context
  const { project_id: projectId, type, find, left, right, part, ...fields } = input
  const project = await getProject(context, projectId)
  const source = given({ type, [findField[type]]: find, left, right, part })
  const document = parseDesign(context, 'correlation_rule', { ...given(fields), source }, fieldOf)
  const object = await deps.stores.designs.create(
    caller,
    { workspaceId: project.workspaceId, projectId: project.id },
    {
      id: newId('correlationRule'),
      kind: 'correlation_rule',
      name: document.name,
      document,
      summary: { variable: document.variable },
    },
    { words: 'Created' },
  )
  context.concerns(object.workspaceId, object.id)
  return { project_id: project.id, rule: ruleOnWire(object, document) }
})

/** What each type calls the thing to find. */
const findField = {
  regex: 'pattern',
  json_path: 'path',
  boundaries: 'find',
  header: 'name',
  cookie: 'name',
} as const satisfies Record<InputOf<typeof operations.createCorrelationRule>['type'], string>

function fieldOf(pointer: string): string {
  const field = dotted(pointer)
  return /^source\.(?:pattern|path|name)$/.test(field) ? 'find' : field.replace(/^source\.?/, '')
}
