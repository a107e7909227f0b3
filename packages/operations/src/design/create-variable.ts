import { newId, operations } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { variableOnWire } from './on-wire.ts'
import { dotted, given, parseDesign } from './parse-design.ts'
import { isUnsetSecret, sealSecret } from './secrets.ts'
import { usersOfVariables } from './usage.ts'
import { writeDesign } from './write-design.ts'

export const createVariable = implement(operations.createVariable)(async (input, context) => {
  const { caller, deps } = context
  const { project_id: projectId, value, settings = {}, ...fields } = input
  const project = await getProject(context, projectId)
  const isSecret = input.type === 'secret'
  // The value of a secret is no part of its document.
  const document = parseDesign(
    context,
    'variable',
    { ...settings, ...given(isSecret ? fields : { ...fields, value }) },
    (pointer) => fieldOf(dotted(pointer), settings),
  )
  const sealedSecret = isSecret ? await sealSecret(deps, project, value, 'value') : null
  const awaited = isSecret ? await findAwaited(context, project.id, document.name) : undefined
  const object = awaited
    ? await writeDesign(
        context,
        awaited,
        { document: awaited.document, sealedSecret },
        { words: 'Given its value' },
      )
    : await deps.stores.designs.create(
        caller,
        { workspaceId: project.workspaceId, projectId: project.id },
        {
          id: newId('variable'),
          kind: 'variable',
          name: document.name,
          document,
          summary: { type: document.type },
          sealedSecret,
        },
        { words: 'Created' },
      )
  context.concerns(object.workspaceId, object.id)
  const usage = await usersOfVariables(context, project.id, [{ id: object.id, document }])
  return { project_id: project.id, variable: variableOnWire(object, document, usage.get(object.id)) }
})

/** A secret that an import left without its value: it is given now. */
async function findAwaited(
  { caller, deps }: CallContext,
  projectId: string,
  name: string,
): Promise<DesignObject | undefined> {
  const found = await deps.stores.designs.findNamed(caller, projectId, 'variable', name)
  return found !== undefined && isUnsetSecret(found) ? found : undefined
}

function fieldOf(field: string, settings: Record<string, unknown>): string {
  const [name = ''] = field.split('.')
  return Object.hasOwn(settings, name) ? `settings.${field}` : field
}
