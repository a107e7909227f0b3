import { operations } from '@flamegate/contract'
import { changedFields } from '@flamegate/loadtest'
import { listVersions } from '../design/versions.ts'
import { implement } from '../implement.ts'
import { getReport } from './reaching.ts'

export const listBenchReportVersions = implement(operations.listBenchReportVersions)(async (
  input,
  context,
) => {
  const object = await getReport(context, input.bench_report_id)
  return {
    bench_report_id: object.id,
    ...(await listVersions(context, 'bench_report', object, input, changedFields)),
  }
})
