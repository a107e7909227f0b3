import { operations, Problem, type InputOf } from '@flamegate/contract'
import { parseDesign } from '../design/parse-design.ts'
import { implement, type CallContext } from '../implement.ts'
import { getProject } from '../targets.ts'
import { addScenario } from './add-scenario.ts'
import { scenarioOnWire } from './on-wire.ts'

type Input = InputOf<typeof operations.createScenario>

export const createScenario = implement(operations.createScenario)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const profiles = await profilesOf(context, input, project.id)
  const thresholds = input.thresholds.length > 0 ? { thresholds: input.thresholds } : {}
  const value = { profiles: [], ...input.document, ...profiles, ...thresholds, name: input.name }
  const document = parseDesign(context, 'scenario', value, (pointer) => fieldOf(pointer, input))
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  const object = await addScenario(context, place, document, 'Created')
  return { scenario: scenarioOnWire(object) }
})

/** A profile for each virtual user, with the one load; none when the document has them, or when there are to be none yet. */
async function profilesOf(
  { caller, deps }: CallContext,
  { virtual_user_ids: ids, load, document }: Input,
  projectId: string,
): Promise<{ profiles?: object[] }> {
  if (document?.['profiles'] !== undefined) {
    if (ids.length === 0 && load === undefined) return {}
    throw invalid('document', 'It has profiles: give these, or virtual_user_ids with load.')
  }
  if (ids.length === 0 && load !== undefined) throw invalid('virtual_user_ids', 'Say whose load it is.')
  if (ids.length > 0 && load === undefined)
    throw invalid(
      'load',
      'Say which load: {"type": "ramp_up", "users": 10, "ramp_up_ms": 30000, "plateau_ms": 60000}.',
    )
  const profiles: object[] = []
  for (const [index, id] of ids.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for they may be large
    const user = await deps.stores.designs.find(caller, id)
    if (user?.kind !== 'virtual_user' || user.projectId !== projectId) {
      throw new Problem('virtual_user_not_found', `This project has no virtual user ${id}.`, {
        hint: [operations.listVirtualUsers, 'shows the ones there are'],
        errors: [{ field: `virtual_user_ids.${index}`, message: 'No such virtual user.' }],
      })
    }
    profiles.push({ id: `profile_${index + 1}`, name: user.name, virtual_user_id: id, load })
  }
  return { profiles }
}

/** The field of the input that a place in the document comes from. */
function fieldOf(pointer: string, { load, thresholds }: Input): string {
  const [, ofLoad] = /^\/profiles\/\d+\/load(.*)$/.exec(pointer) ?? []
  if (load !== undefined && ofLoad !== undefined) return `load${ofLoad.replaceAll('/', '.')}`
  const [, index] = /^\/thresholds\/(\d+)/.exec(pointer) ?? []
  if (thresholds.length > 0 && index !== undefined) return `thresholds.${index}`
  return `document${pointer.replaceAll('/', '.')}`
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_input', message, { errors: [{ field, message }] })
}
