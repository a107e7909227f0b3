import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getRun } from '../targets.ts'
import { findBaseline } from './baseline.ts'
import { checkRun } from './check-run.ts'
import { requireCompleted } from './compare-two-runs.ts'

export const checkRegression = implement(operations.checkRegression)(async (input, context) => {
  const head = await getRun(context, input.run_id, { repository: input.repository })
  requireCompleted(head)
  const base = await findBaseline(context, input.base_run_id, head)
  const { answer } = await checkRun(context, { base, head }, input, context.deps.publicUrl)
  return answer
})
