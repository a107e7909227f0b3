import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getShareLink } from '../targets.ts'

export const closeProfileViewer = implement(operations.closeProfileViewer)(async (input, context) => {
  const link = await getShareLink(context, input.share_link_id)
  await context.deps.stores.shareLinks.remove(context.caller, link.workspaceId, link.id)
  return {
    share_link_id: link.id,
    profile_id: link.profileId,
    bench_report_id: link.benchReportId,
    closed: true as const,
  }
})
