import { operations, type OutputOf } from '@flamegate/contract'
import { percentOf, type Difference } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { comparisonNotes } from './comparison-notes.ts'
import { comparisonReport } from './comparison-report.ts'
import { openComparison } from './open-comparison.ts'

/** What is too large for a tool result is cut. */
const reportedGraph = { nodes: 200, characters: 28_000 }

type Answer = OutputOf<typeof operations.compareProfiles>

export const compareProfiles = implement(operations.compareProfiles)(async (input, context) => {
  const { comparison, basis, warnings } = await openComparison(context, input, {
    limit: input.top_n,
    sortBy: input.sort_by,
    ...(input.format === 'flamegraph-json' ? { d3: reportedGraph } : {}),
  })
  const difference = comparison.headTotal - comparison.baseTotal
  const answer: Omit<Answer, 'report'> = {
    ...basis,
    difference,
    difference_percent: comparison.baseTotal === 0 ? null : percentOf(difference, comparison.baseTotal),
    counts: comparison.counts,
    functions: comparison.functions.map((each) => ({
      function_name: each.functionName,
      file: each.file === '' ? null : each.file,
      line: each.line === 0 ? null : each.line,
      origin: each.origin,
      ...differenceOnWire(each),
    })),
    others_difference: comparison.othersDifference,
    calls: comparison.calls.map((each) => ({ path: each.path, ...differenceOnWire(each) })),
    notes: [...comparisonNotes(basis), ...warnings],
  }
  return { ...answer, report: comparison.d3Json ?? comparisonReport(answer, input.format) }
})

function differenceOnWire(each: Difference): Omit<Answer['calls'][number], 'path'> {
  return {
    state: each.state,
    base_self: each.baseSelf,
    head_self: each.headSelf,
    self_difference: each.selfDifference,
    base_total: each.baseTotal,
    head_total: each.headTotal,
    total_difference: each.totalDifference,
    is_sure: each.isSure ?? null,
  }
}
