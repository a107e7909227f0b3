import { knownIssues } from '@flamegate/benchmarks'
import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { mostFittingFirst, profilesOfRun } from '../profiles/of-run.ts'
import { getRun } from '../targets.ts'
import { statsOnWire } from '../wire.ts'
import { comparable } from './comparable.ts'
import { previousRun } from './previous-run.ts'
import { renamedFrom, sameUri } from './naming-on-wire.ts'
import { resultOnWire } from './result-on-wire.ts'

export const getBenchmarkResult = implement(operations.getBenchmarkResult)(async (input, context) => {
  const run = await getRun(context, input.run_id, { repository: input.repository })
  const result = await context.deps.stores.runs.findResult(context.caller, run.id, input.benchmark)
  if (result === undefined) {
    throw new Problem('benchmark_not_found', `Run ${run.id} has no benchmark ${input.benchmark}.`, {
      hint: [operations.getRun, 'shows the ones it has'],
    })
  }
  const previous = await previousRun(context, run)
  const issues = knownIssues(comparable(result), {
    environment: run.environment,
    previousEnvironment: previous?.environment,
  })
  const profiles = mostFittingFirst(await profilesOfRun(context, run, result.benchmarkId), result.instrument)
  return {
    run_id: run.id,
    project_id: run.projectId,
    renamed_from: renamedFrom(input.benchmark, { id: result.benchmarkId, uri: result.uri }),
    same_uri: await sameUri(context, { id: result.benchmarkId, uri: result.uri, projectId: run.projectId }),
    result: {
      ...resultOnWire(result),
      stats: statsOnWire(result.stats),
      metrics: result.metrics.map(({ betterWhen, ...metric }) => ({
        ...metric,
        better_when: betterWhen ?? null,
      })),
    },
    round_values: input.include_rounds ? (result.roundValues ?? null) : null,
    process_values: result.processValues ?? [],
    known_issues: issues.map(({ code, explanation }) => ({ code, explanation })),
    flame_graph: { available: profiles.length > 0, profile_ids: profiles.map((profile) => profile.id) },
  }
})
