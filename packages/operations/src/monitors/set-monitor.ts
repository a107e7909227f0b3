import { newId, operations, Problem, type InputOf } from '@flamegate/contract'
import { isSameJson, type Monitor } from '@flamegate/loadtest'
import { parseDesign } from '../design/parse-design.ts'
import { writeDesign } from '../design/write-design.ts'
import { implement, type CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { checkMonitor } from './check-monitor.ts'
import { monitorOnWire } from './on-wire.ts'

type Input = InputOf<typeof operations.setMonitor>

const monitorsMax = 100
/** Whom the secret is told. */
const addressFields = ['type', 'host', 'port', 'tls', 'target_url']

export const setMonitor = implement(operations.setMonitor)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  const before = await deps.stores.designs.findNamed(caller, project.id, 'monitor', input.name)
  const monitor =
    before === undefined ? await create(place, input, context) : await change(before, input, context)
  context.concerns(monitor.workspaceId, monitor.id)
  const check = input.check ? await checkMonitor(monitor, context) : null
  const state = await deps.stores.monitors.findState(caller, monitor.id)
  return { monitor: monitorOnWire(monitor, state), check }
})

async function create(
  place: { workspaceId: string; projectId: string },
  input: Input,
  context: CallContext,
): Promise<DesignObject> {
  const { caller, deps } = context
  if (input.if_version !== undefined)
    throw new Problem(
      'version_mismatch',
      `There is no monitor ${input.name}. Leave if_version out to make it.`,
    )
  const names = await deps.stores.designs.listNames(caller, place.projectId, 'monitor')
  if (names.size >= monitorsMax)
    throw new Problem('invalid_input', `A project has at most ${monitorsMax} monitors. Delete one first.`)
  const document = read({}, input, context)
  return deps.stores.designs.create(
    caller,
    place,
    {
      id: newId('monitor'),
      kind: 'monitor',
      name: document.name,
      document,
      summary: { type: document.type },
      sealedSecret: (await sealed(input, { ...place, id: place.projectId }, context)) ?? null,
    },
    { words: 'Created' },
  )
}

async function change(before: DesignObject, input: Input, context: CallContext): Promise<DesignObject> {
  // What another type has of fields means nothing to this one.
  const isOther = (input.document['type'] ?? before.document['type']) !== before.document['type']
  const document = read(isOther ? {} : before.document, input, context)
  const sealedSecret = await sealed(input, { id: before.projectId, workspaceId: before.workspaceId }, context)
  if (sealedSecret === undefined && isSameJson(document, before.document)) {
    if (input.if_version === undefined || input.if_version === before.version) return before
  }
  if (sealedSecret === undefined && before.hasSecret) mustKeepAddress(before.document, document)
  return writeDesign(
    context,
    before,
    {
      document,
      summary: { type: document.type },
      ...(sealedSecret === undefined ? {} : { sealedSecret }),
    },
    { ifVersion: input.if_version, words: 'Changed' },
  )
}

function read(before: Record<string, unknown>, input: Input, context: CallContext): Monitor {
  return parseDesign(
    context,
    'monitor',
    { ...before, ...input.document, name: input.name },
    (pointer) => `document${pointer.replaceAll('/', '.')}`,
  )
}

/** @returns undefined: it stays; null: there is none any more */
async function sealed(
  { secret }: Input,
  project: { id: string; workspaceId: string },
  { deps }: CallContext,
): Promise<string | null | undefined> {
  if (secret === undefined) return undefined
  return secret === '' ? null : deps.sealing.seal(secret, project)
}

/** Nobody can read a secret; so nobody may have it sent to an address of their own. @throws Problem `invalid_input` */
function mustKeepAddress(before: Record<string, unknown>, after: Record<string, unknown>): void {
  const changed = addressFields.filter((field) => !isSameJson(before[field] ?? null, after[field] ?? null))
  if (changed.length === 0) return
  throw new Problem(
    'invalid_input',
    'The secret was for the address before: give it again, or an empty one.',
    {
      errors: [{ field: 'secret', message: `Needed, because ${changed.join(', ')} changed.` }],
    },
  )
}
