import { operations } from '@flamegate/contract'
import { changedFields, parseDocument } from '@flamegate/loadtest'
import { patchDocument, patchWords } from '../design/patch-document.ts'
import { writeDesign } from '../design/write-design.ts'
import { implement } from '../implement.ts'
import { reportOnWire } from './on-wire.ts'
import { parseReport } from './parse-report.ts'
import { getReport, reportVersion } from './reaching.ts'
import { summaryOf } from './summary.ts'

const changesTold = 50

export const patchBenchReport = implement(operations.patchBenchReport)(async (input, context) => {
  const { restore_version: restored, dry_run: isDryRun } = input
  const before = await getReport(context, input.bench_report_id)
  const old = parseDocument('bench_report', before.document)
  const from = restored === undefined ? old : await reportVersion(context, before, restored)
  const document = await parseReport(context, before.projectId, patchDocument(from, input.patch), {
    known: [...old.bench_result_ids, ...from.bench_result_ids],
  })
  const changes = changedFields(old, document)
  const update = { name: document.name, document, summary: summaryOf(document) }
  const after = isDryRun
    ? { ...before, ...update }
    : await writeDesign(context, before, update, {
        ifVersion: input.if_version,
        words: patchWords(input.patch, restored),
        label: input.label,
      })
  return {
    bench_report: reportOnWire(after),
    changes: changes.slice(0, changesTold),
    change_count: changes.length,
    dry_run: isDryRun,
  }
})
