import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { askSeveral } from '../profiles/asking.ts'
import { comparing } from '../profiles/comparing.ts'
import { profileOfResult, resultIn } from '../profiles/of-benchmark.ts'
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
  const profiles = await Promise.all([
    profileOfResult(context, base, before),
    profileOfResult(context, head, after),
  ])
  const explanation = await comparing(
    askSeveral(context, profiles, 'comparison', {
      baseCount: 1,
      limit: input.limit,
      normalization: { by: 'values', base: before.value, head: after.value, unit: after.unit },
    }),
  )
  const functions = explanation.functions.map((each) => ({
    name: each.functionName,
    file: each.file === '' ? null : each.file,
    origin: each.origin,
    base_self: each.baseSelf,
    head_self: each.headSelf,
    difference: each.selfDifference,
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
    change: after.value - before.value,
    functions,
    others_difference: explanation.othersDifference,
  }
  return { ...answer, report: explanationReport({ ...answer, name: after.name }, context.deps.publicUrl) }
})
