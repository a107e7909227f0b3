import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { shareLinkOnWire } from '../profiles/share-link-on-wire.ts'
import { getReport } from './reaching.ts'

export const listBenchReportLinks = implement(operations.listBenchReportLinks)(async (input, context) => {
  const { id } = await getReport(context, input.bench_report_id)
  const links = await context.deps.stores.shareLinks.list(context.caller, { benchReportId: id })
  return { bench_report_id: id, share_links: links.map(shareLinkOnWire) }
})
