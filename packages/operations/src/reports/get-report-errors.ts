import { operations, Problem } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { pathOf } from '../bench-runs/names-in-plan.ts'
import { implement, type CallContext } from '../implement.ts'
import type { BenchResult } from '../ports/index.ts'
import { errorValues } from './items/errors.ts'
import { getReport, runAt } from './reaching.ts'

type Sample = Awaited<ReturnType<typeof sampleOf>>

export const getReportErrors = implement(operations.getReportErrors)(async (input, context) => {
  const object = await getReport(context, input.bench_report_id)
  const report = parseDocument('bench_report', object.document)
  const run = await runAt(context, object.projectId, report, input.run)
  const { total, errors } = await errorValues({ from_second: 0, to_second: null }, run, context)
  const sample: Sample | null =
    input.sample_id === undefined ? null : await sampleOf(context, run, input.sample_id)
  return {
    bench_report_id: object.id,
    project_id: object.projectId,
    bench_result_id: run.id,
    total,
    errors,
    sample,
  }
})

async function sampleOf({ caller, deps }: CallContext, run: BenchResult, id: string) {
  const { benchRuns } = deps.stores
  const sample = await benchRuns.findSample(caller, run.id, id)
  if (sample === undefined) {
    throw new Problem('bench_sample_not_found', `${run.name} has no sample ${id}. Take one of sample_ids.`)
  }
  const plan = await benchRuns.findPlan(caller, run.id)
  return {
    id: sample.id,
    action: sample.action,
    name: pathOf(plan?.actions[sample.action]).join(' / '),
    error_class: sample.errorClass,
    message: sample.message,
    at: sample.at.toISOString(),
    exchange: sample.exchange,
  }
}
