import { newId, operations } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { templateOnWire } from './on-wire.ts'
import { getReport } from './reaching.ts'
import type { TemplateSummary } from './summary.ts'

export const saveReportTemplate = implement(operations.saveReportTemplate)(async (input, context) => {
  const report = await getReport(context, input.bench_report_id)
  const {
    bench_result_ids: _runs,
    trend: _trend,
    ...content
  } = parseDocument('bench_report', report.document)
  const document = parseDocument('report_template', { ...content, name: input.name })
  const summary: TemplateSummary = { description: document.description, item_count: document.items.length }
  const object = await context.deps.stores.designs.create(
    context.caller,
    report,
    { id: newId('reportTemplate'), kind: 'report_template', name: document.name, document, summary },
    { words: `Saved from ${report.id}` },
  )
  return { template: templateOnWire(object) }
})
