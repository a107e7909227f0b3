import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import type { Result } from '../ports/index.ts'
import { profilesOfRun } from '../profiles/of-run.ts'
import { getRun } from '../targets.ts'
import { statsOnWire } from '../wire.ts'
import { resultOnWire } from './result-on-wire.ts'

export const getBenchmarkResult = implement(operations.getBenchmarkResult)(async (input, context) => {
  const run = await getRun(context, input.run_id)
  const result = await context.deps.stores.runs.findResult(context.caller, run.id, input.benchmark)
  if (result === undefined) {
    throw new Problem(
      'benchmark_not_found',
      `Run ${run.id} has no benchmark ${input.benchmark}. get_run shows the ones it has.`,
    )
  }
  const profiles = (await profilesOfRun(context, run)).filter(
    (profile) => profile.benchmarkId === result.benchmarkId,
  )
  return {
    run_id: run.id,
    project_id: run.projectId,
    result: {
      ...resultOnWire(result),
      stats: statsOnWire(result.stats),
      metrics: result.metrics.map(({ name, value, unit, betterWhen }) => ({
        name,
        value,
        unit,
        better_when: betterWhen ?? null,
      })),
    },
    rounds_ns: input.include_rounds ? (result.roundsNs ?? null) : null,
    known_issues: knownIssues(result),
    flame_graph: { available: profiles.length > 0, profile_ids: profiles.map((profile) => profile.id) },
  }
})

/** What makes a wall-time result less sure, from its own distribution. */
function knownIssues({ stats }: Result): string[] {
  const issues: string[] = []
  if (stats.rounds !== undefined && stats.rounds < 5) {
    issues.push(`Only ${stats.rounds} rounds: too few to tell noise from change.`)
  }
  if (
    stats.stdevNs !== undefined &&
    stats.meanNs !== undefined &&
    stats.meanNs > 0 &&
    stats.stdevNs / stats.meanNs > 0.2
  ) {
    issues.push(
      `Noisy: the standard deviation is ${Math.round((stats.stdevNs / stats.meanNs) * 100)} % of the mean.`,
    )
  }
  return issues
}
