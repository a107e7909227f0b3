import { operations } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { reportOnWire, reportRunOnWire } from './on-wire.ts'
import { getReport, runsOf } from './reaching.ts'

export const getBenchReport = implement(operations.getBenchReport)(async (input, context) => {
  const object = await getReport(context, input.bench_report_id)
  const document = parseDocument('bench_report', object.document)
  const runs = await runsOf(context, object.projectId, document)
  return {
    bench_report: reportOnWire(object),
    document: { ...document },
    runs: runs.map((run) => (run === null ? null : reportRunOnWire(run))),
  }
})
