import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { addShareLink, inDays } from '../share-links.ts'
import { getProfile } from '../targets.ts'
import { shareLinkOnWire } from './share-link-on-wire.ts'

export const openProfileViewer = implement(operations.openProfileViewer)(async (input, context) => {
  const { profile_id, public: isPublic, expires_in_days: days, ...view } = input
  if (isPublic && view.base_profile_id !== undefined) {
    throw new Problem('invalid_input', 'A public link is of one profile: a comparison is for members.', {
      errors: [{ field: 'base_profile_id', message: 'Leave it out, or public.' }],
    })
  }
  if (view.base_profile_id !== undefined) await getProfile(context, view.base_profile_id)
  const profile = await getProfile(context, profile_id)
  const { link, path } = await addShareLink(context, {
    workspaceId: profile.workspaceId,
    projectId: profile.projectId,
    of: { profileId: profile.id },
    view,
    isPublic,
    expiresAt: inDays(days),
  })
  context.concerns(profile.workspaceId, link.id)
  return { share_link: shareLinkOnWire(link), viewer_url: context.deps.publicUrl + path }
})
