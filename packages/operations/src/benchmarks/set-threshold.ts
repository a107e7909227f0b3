import { thresholdFault } from '@flamegate/benchmarks'
import { operations, Problem, type InputOf } from '@flamegate/contract'
import { implement } from '../implement.ts'
import type { Benchmark, ThresholdTarget } from '../ports/index.ts'
import { getBenchmark, getProjectOfRepository } from '../targets.ts'
import type { ThresholdRule } from './applying-threshold.ts'
import { thresholdOf } from './judge-series.ts'
import { tryRule } from './try-rule.ts'
import { thresholdOnWire } from './watching-on-wire.ts'

type Input = InputOf<typeof operations.setThreshold>

export const setThreshold = implement(operations.setThreshold)(async (input, context) => {
  const { thresholds } = context.deps.stores
  const project = await getProjectOfRepository(context, input.repository)
  const benchmark =
    input.benchmark_id === undefined ? undefined : await getBenchmark(context, input.benchmark_id, project.id)
  const target = targetOf(input, project.id, benchmark)
  const benchmarkUri = benchmark?.uri ?? null
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  if (input.test === 'off') {
    if (!input.dry_run) await thresholds.remove(context.caller, place, target)
    return {
      project_id: project.id,
      benchmark_uri: benchmarkUri,
      threshold: null,
      would_have_raised: [],
    }
  }
  const rule = readRule({ ...input, test: input.test })
  const wouldHaveRaised = input.dry_run ? await tryRule(project.id, target, rule, context) : []
  const threshold = input.dry_run
    ? { ...place, ...target, ...rule, id: 'dry_run', updatedAt: new Date() }
    : await thresholds.set(context.caller, { ...place, ...target, ...rule })
  return {
    project_id: project.id,
    benchmark_uri: benchmarkUri,
    threshold: thresholdOnWire(threshold),
    would_have_raised: wouldHaveRaised,
  }
})

function targetOf(input: Input, projectId: string, benchmark: Benchmark | undefined): ThresholdTarget {
  if (benchmark !== undefined && benchmark.projectId !== projectId) {
    throw new Problem('benchmark_not_found', 'That benchmark belongs to another project.')
  }
  return {
    branch: input.branch ?? null,
    benchmarkId: benchmark?.id ?? null,
    metric: input.metric ?? null,
  }
}

/** @throws Problem `invalid_input` for limits that the test cannot have */
function readRule(input: Input & { test: ThresholdRule['test'] }): ThresholdRule {
  const rule = {
    test: input.test,
    lowerBound: input.lower_bound,
    upperBound: input.upper_bound,
    windowRuns: input.window_runs,
    sampleMin: input.sample_min,
  }
  const fault = faultOf(rule)
  if (fault === undefined) return rule
  throw new Problem('invalid_input', fault, { errors: [{ field: 'upper_bound', message: fault }] })
}

function faultOf({ test, ...rule }: ThresholdRule): string | undefined {
  if (test !== 'change_point') return thresholdFault(thresholdOf({ test, ...rule }))
  return rule.lowerBound === null && rule.upperBound === null
    ? undefined
    : 'change_point has no bounds: it goes by the noise of the benchmark.'
}
