import { operations, Problem } from '@flamegate/contract'
import { explainDifference, type Profile as CallTree } from '@flamegate/profiles'
import { implement, type CallContext } from '../implement.ts'
import type { Result, Run } from '../ports/index.ts'
import { openRecord } from '../profiles/decoded.ts'
import { profilesOfRun } from '../profiles/of-run.ts'
import { getRun } from '../targets.ts'
import { getBaseline } from './baseline.ts'
import { requireCompleted } from './compare-two-runs.ts'
import { explanationReport } from './explanation-report.ts'

export const explainRegression = implement(operations.explainRegression)(async (input, context) => {
  const head = await getRun(context, input.head_run_id, { repository: input.repository })
  const base = await getBaseline(context, input.base_run_id, head)
  if (base.projectId !== head.projectId) {
    throw new Problem('runs_not_comparable', 'These runs belong to different projects.')
  }
  for (const run of [base, head]) requireCompleted(run)
  const after = await resultIn(context, head, input.benchmark)
  // By its id: a benchmark may have been measured under another uri before.
  const before = await resultIn(context, base, after.benchmarkId)
  if (before.unit !== after.unit) {
    throw new Problem('runs_not_comparable', `It was measured in ${before.unit}, and then in ${after.unit}.`)
  }
  const [baseTree, headTree] = await Promise.all([
    profileOf(context, base, before),
    profileOf(context, head, after),
  ])
  const explanation = explainDifference(
    { profile: baseTree, value: before.value },
    { profile: headTree, value: after.value },
    input.limit,
  )
  const functions = explanation.functions.map((each) => ({
    name: each.functionName,
    file: each.file === '' ? null : each.file,
    origin: each.origin,
    base_self: each.baseSelf,
    head_self: each.headSelf,
    difference: each.difference,
    state: each.state,
  }))
  const answer = {
    base_run_id: base.id,
    head_run_id: head.id,
    benchmark_id: after.benchmarkId,
    uri: after.uri,
    unit: after.unit,
    base_value: before.value,
    head_value: after.value,
    change: explanation.change,
    functions,
    others_difference: explanation.othersDifference,
  }
  return { ...answer, report: explanationReport({ ...answer, name: after.name }) }
})

async function resultIn(context: CallContext, run: Run, benchmark: string): Promise<Result> {
  const result = await context.deps.stores.runs.findResult(context.caller, run.id, benchmark)
  if (result !== undefined) return result
  throw new Problem('benchmark_not_found', `Run ${run.id} has no benchmark ${benchmark}.`, {
    hint: [operations.getRun, 'shows the ones it has'],
  })
}

async function profileOf(context: CallContext, run: Run, result: Result): Promise<CallTree> {
  const own = (await profilesOfRun(context, run)).filter(
    ({ benchmarkId }) => benchmarkId === result.benchmarkId,
  )
  const record = own.find(({ type }) => type === 'cpu') ?? own[0]
  if (record === undefined) {
    throw new Problem(
      'no_profile',
      `Run ${run.id} has no profile of ${result.uri}. Both runs need one: upload it with run_id and benchmark.`,
    )
  }
  return (await openRecord(context, record)).tree
}
