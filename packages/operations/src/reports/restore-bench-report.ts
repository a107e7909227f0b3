import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { reportOnWire } from './on-wire.ts'
import { getReport } from './reaching.ts'

export const restoreBenchReport = implement(operations.restoreBenchReport)(async (input, context) => {
  const { id } = await getReport(context, input.bench_report_id, { evenDeleted: true })
  const restored = await context.deps.stores.designs.restore(context.caller, id)
  if (restored === undefined) throw new Problem('bench_report_not_found', 'It is gone with its project.')
  return { bench_report: reportOnWire(restored) }
})
