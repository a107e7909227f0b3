import { operations, Problem } from '@flamegate/contract'
import { parseDocument, type VirtualUser } from '@flamegate/loadtest'
import type { CallContext, Deps } from '../implement.ts'
import type { DesignObject, Recording, WholeValidation } from '../ports/index.ts'
import { reach } from '../targets.ts'
import { getVirtualUser } from '../virtual-users/reaching.ts'

/** A virtual user among those that the caller may read, with its document. */
export async function readVirtualUser(
  context: CallContext,
  id: string,
): Promise<{ object: DesignObject; document: VirtualUser }> {
  const object = await getVirtualUser(context, id)
  return { object, document: parseDocument('virtual_user', object.document) }
}

export async function getValidation(context: CallContext, id: string): Promise<WholeValidation> {
  const validation = await context.deps.stores.validations.find(context.caller, id)
  if (validation === undefined) throw noValidation('No such validation in your workspaces.')
  await reach(context, validation.workspaceId, validation.id)
  return validation
}

export function noValidation(words: string): Problem {
  return new Problem('validation_not_found', words, {
    hint: [operations.validateVirtualUser, 'starts one'],
  })
}

/** What a virtual user of a project was recorded of; undefined where it was not. Another project's recording is none. */
export async function findRecording(
  { caller, deps }: { caller: CallContext['caller']; deps: Pick<Deps, 'stores'> },
  document: VirtualUser,
  projectId: string,
): Promise<Recording | undefined> {
  if (document.recording_id === null) return undefined
  const recording = await deps.stores.recordings.find(caller, document.recording_id)
  return recording?.projectId === projectId ? recording : undefined
}

/** @throws Problem `no_recording` */
export async function getRecording(
  context: CallContext,
  document: VirtualUser,
  projectId: string,
): Promise<Recording> {
  const recording = await findRecording(context, document, projectId)
  if (recording === undefined) {
    throw new Problem(
      'no_recording',
      'This virtual user was made of no recording with answers, so there is nothing to find values in. Import a HAR of the same steps.',
    )
  }
  return recording
}
