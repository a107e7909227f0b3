import { operations } from '@flamegate/contract'
import { changedFields, parseDocument } from '@flamegate/loadtest'
import { changeDocument } from '../design/change-document.ts'
import { patchDocument } from '../design/patch-document.ts'
import { documentAt } from '../design/versions.ts'
import { implement } from '../implement.ts'
import { reportOnWire } from './on-wire.ts'
import { parseReport } from './parse-report.ts'
import { getReport } from './reaching.ts'
import { summaryOf } from './summary.ts'

export const patchBenchReport = implement(operations.patchBenchReport)(async (input, context) => {
  const { restore_version: restored } = input
  const before = await getReport(context, input.bench_report_id)
  const old = parseDocument('bench_report', before.document)
  const from = restored === undefined ? old : await documentAt(context, 'bench_report', before, restored)
  const document = await parseReport(context, before.projectId, patchDocument(from, input.patch), {
    from: [old, from],
  })
  const update = { name: document.name, document, summary: summaryOf(document) }
  const { after, told } = await changeDocument(context, before, update, changedFields(old, document), input)
  return { bench_report: reportOnWire(after), ...told }
})
