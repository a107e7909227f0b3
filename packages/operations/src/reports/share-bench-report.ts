import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { shareLinkOnWire } from '../profiles/share-link-on-wire.ts'
import { addShareLink, inDays } from '../share-links.ts'
import { getReport } from './reaching.ts'

export const shareBenchReport = implement(operations.shareBenchReport)(async (input, context) => {
  const report = await getReport(context, input.bench_report_id)
  const { link, path } = await addShareLink(context, {
    workspaceId: report.workspaceId,
    projectId: report.projectId,
    of: { benchReportId: report.id },
    isPublic: input.public,
    expiresAt: inDays(input.expires_in_days),
  })
  context.concerns(report.workspaceId, link.id)
  return { share_link: shareLinkOnWire(link), viewer_url: context.deps.publicUrl + path }
})
