import { thresholdFault } from '@flamegate/benchmarks'
import { operations, Problem, type InputOf, type OutputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { Benchmark, Result, ThresholdTarget } from '../ports/index.ts'
import { getBenchmark, getProject, getProjectOfRepository } from '../targets.ts'
import type { ThresholdRule } from './applying-threshold.ts'
import { defaultBranchOf } from './default-branch.ts'
import { findingVerdict, judgeSeries, thresholdOf, type JudgedSeries } from './judge-series.ts'
import { thresholdOnWire } from './watching-on-wire.ts'

type Input = InputOf<typeof operations.setThreshold>
type WouldRaise = OutputOf<typeof operations.setThreshold>['would_have_raised'][number]

/** What a dry run looks at, newest benchmarks first. */
const triedBenchmarksMax = 200
const triedRunsMax = 20
const foundMax = 100

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

/** What the rule finds in the newest runs of the branch, as if each of them had just come in. */
async function tryRule(
  projectId: string,
  target: ThresholdTarget,
  rule: ThresholdRule,
  context: CallContext,
): Promise<WouldRaise[]> {
  const { caller, deps } = context
  const project = await getProject(context, projectId)
  const branch = target.branch ?? (await defaultBranchOf(deps.stores, caller, project))
  const newest = await deps.stores.runs.findLatest(caller, { projectId, branch })
  if (newest === undefined) return []
  const results = (
    await deps.stores.runs.listResults(caller, newest.id, { withMetrics: target.metric !== null })
  )
    .filter(({ benchmarkId }) => benchmarkId === (target.benchmarkId ?? benchmarkId))
    .slice(0, triedBenchmarksMax)
  const read = (of: readonly Result[], further: { metric?: string }) =>
    deps.stores.benchmarks.series(
      caller,
      of.map(({ benchmarkId }) => benchmarkId),
      { upTo: newest, branch, runs: rule.windowRuns + triedRunsMax, ...further },
    )
  const isMain = ({ metric }: Result) => metric === (target.metric ?? metric)
  const [{ runIds, ofBenchmark: ofMain }, { ofBenchmark: ofFurther }] = await Promise.all([
    read(results.filter(isMain), {}),
    read(
      results.filter((result) => !isMain(result)),
      target.metric === null ? {} : { metric: target.metric },
    ),
  ])
  const ofBenchmark = new Map([...ofMain, ...ofFurther])
  const found = results.flatMap((result) => {
    const { benchmarkId, uri } = result
    const betterWhen = betterWhenOf(result, target.metric)
    const series = ofBenchmark.get(benchmarkId)
    if (series === undefined) return []
    const { values, places, unit } = series
    return findings({ values, unit }, rule).map(({ end, finding }) => ({
      place: places[end] ?? 0,
      benchmark_id: benchmarkId,
      uri,
      run_id: runIds[places[end] ?? 0] ?? newest.id,
      verdict: findingVerdict(rule, finding, betterWhen),
      value: finding.value,
      unit,
      limit: finding.crossedLimit,
      reason: finding.reason,
    }))
  })
  return found
    .toSorted((a, b) => b.place - a.place)
    .slice(0, foundMax)
    .map(({ place: _place, ...row }) => row)
}

/** Undefined where neither the tool nor the unit tells. */
function betterWhenOf(result: Result, metric: string | null): 'lower' | 'higher' | undefined {
  if (metric === null || metric === result.metric) return result.betterWhen
  return result.metrics.find(({ name }) => name === metric)?.betterWhen
}

/** One for each stretch of values that the rule finds, at the value with which it is found first. */
function findings({ values, unit }: JudgedSeries, rule: ThresholdRule) {
  const told = new Set<number>()
  return values.flatMap((_value, end) => {
    if (end < values.length - triedRunsMax) return []
    const finding = judgeSeries({ values: values.slice(0, end + 1), unit }, rule, [...told])
    if (finding === undefined || told.has(finding.index)) return []
    told.add(finding.index)
    return [{ end, finding }]
  })
}
