import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { shareLinkOnWire } from './share-link-on-wire.ts'

export const listShareLinks = implement(operations.listShareLinks)(async (input, context) => {
  const profile = await getProfile(context, input.profile_id)
  const links = await context.deps.stores.shareLinks.list(context.caller, { profileId: profile.id })
  return { profile_id: profile.id, share_links: links.map(shareLinkOnWire) }
})
