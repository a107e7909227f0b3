import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'

export const deleteProfile = implement(operations.deleteProfile)(async (input, context) => {
  const { caller, deps } = context
  const profile = await getProfile(context, input.profile_id)
  const file = await deps.stores.files.find(caller, profile.fileId)
  await deps.stores.profiles.remove(caller, profile.id)
  if (file !== undefined) await deps.storage.remove(file.storageKey)
  return { profile_id: profile.id, project_id: profile.projectId, deleted: true as const }
})
