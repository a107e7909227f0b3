import { knownIssues } from '@flamegate/benchmarks'
import { operations } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { Result, Run } from '../ports/index.ts'
import { benchmarksWithProfile } from '../profiles/of-run.ts'
import { getRun as getRunTarget } from '../targets.ts'
import { runOnWire } from '../wire.ts'
import { comparable } from './comparable.ts'
import { previousRun } from './previous-run.ts'
import { resultOnWire } from './result-on-wire.ts'

/** They go by the rounds, which are most of what a run stores. */
const withIssuesMax = 1000

export const getRun = implement(operations.getRun)(async (input, context) => {
  const run = await getRunTarget(context, input.run_id, input)
  const [results, profiledIn] = await Promise.all([
    context.deps.stores.runs.listResults(context.caller, run.id),
    benchmarksWithProfile(context, [run]),
  ])
  const profiled = profiledIn(run)
  const shown = results.slice(input.offset, input.offset + input.limit)
  const issues = await issuesOf(context, run, shown.slice(0, withIssuesMax))
  return {
    run: runOnWire(run),
    results: shown.map((result) => ({
      ...resultOnWire(result),
      has_profile: profiled.has(result.benchmarkId),
      known_issues: issues.get(result.benchmarkId) ?? null,
    })),
    omitted_result_count: Math.max(0, results.length - input.offset - shown.length),
  }
})

/** Codes of the known issues of each result, by benchmark. */
async function issuesOf(
  context: CallContext,
  run: Run,
  results: readonly Result[],
): Promise<ReadonlyMap<string, string[]>> {
  const [rounds, previous] = await Promise.all([
    context.deps.stores.runs.readRounds(
      context.caller,
      run.id,
      results.map(({ benchmarkId }) => benchmarkId),
    ),
    previousRun(context, run),
  ])
  const circumstances = { environment: run.environment, previousEnvironment: previous?.environment }
  return new Map(
    results.map((result) => [
      result.benchmarkId,
      knownIssues(comparable(result, rounds), circumstances).map(({ code }) => code),
    ]),
  )
}
