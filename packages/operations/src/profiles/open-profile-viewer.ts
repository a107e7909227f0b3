import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { shareLinkOnWire } from './share-link-on-wire.ts'

const dayMs = 86_400_000

export const openProfileViewer = implement(operations.openProfileViewer)(async (input, context) => {
  const { caller, deps } = context
  const { profile_id, public: isPublic, expires_in_days: days, ...view } = input
  if (isPublic && view.base_profile_id !== undefined) {
    throw new Problem('invalid_input', 'A public link is of one profile: a comparison is for members.', {
      errors: [{ field: 'base_profile_id', message: 'Leave it out, or public.' }],
    })
  }
  if (view.base_profile_id !== undefined) await getProfile(context, view.base_profile_id)
  const profile = await getProfile(context, profile_id)
  const credential = isPublic ? deps.newSecret() : undefined
  const link = await deps.stores.shareLinks.create(caller, {
    id: newId('shareLink'),
    workspaceId: profile.workspaceId,
    projectId: profile.projectId,
    profileId: profile.id,
    view,
    expiresAt: new Date(Date.now() + days * dayMs),
    secretHash: credential?.hash ?? null,
  })
  context.concerns(profile.workspaceId, link.id)
  // Browsers keep what is after the # to themselves: the secret is in no log and no referrer.
  const secret = credential === undefined ? '' : `#${credential.secret}`
  return {
    share_link: shareLinkOnWire(link),
    viewer_url: `${deps.publicUrl}/shared/${link.id}${secret}`,
  }
})
