import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getShareLink as getLink } from '../targets.ts'
import { shareLinkOnWire } from './share-link-on-wire.ts'

export const getShareLink = implement(operations.getShareLink)(async (input, context) => ({
  share_link: shareLinkOnWire(await getLink(context, input.share_link_id)),
}))
