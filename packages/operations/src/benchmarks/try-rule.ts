import type { operations, OutputOf } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { BenchmarkSeries, Result, Run, ThresholdTarget } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import type { ThresholdRule } from './applying-threshold.ts'
import { defaultBranchOf } from './default-branch.ts'
import { historyOnDefaultBranch } from './history-on-default-branch.ts'
import { findingVerdict, judgeSeries, type Finding, type JudgedSeries } from './judge-series.ts'

type WouldRaise = OutputOf<typeof operations.setThreshold>['would_have_raised'][number]

/** What a dry run looks at, newest benchmarks first. */
const triedBenchmarksMax = 200
const triedRunsMax = 20
const foundMax = 100

/** What the rule finds in the newest runs of the branch, as if each of them had just come in: as `watch_run` judges it. */
export async function tryRule(
  projectId: string,
  target: ThresholdTarget,
  rule: ThresholdRule,
  context: CallContext,
): Promise<WouldRaise[]> {
  const { caller, deps } = context
  const project = await getProject(context, projectId)
  const defaultBranch = await defaultBranchOf(deps.stores, caller, project)
  const branch = target.branch ?? defaultBranch
  const newest = await deps.stores.runs.findLatest(caller, { projectId, branch })
  if (newest === undefined) return []
  const results = (
    await deps.stores.runs.listResults(caller, newest.id, { withMetrics: target.metric !== null })
  )
    .filter(({ benchmarkId }) => benchmarkId === (target.benchmarkId ?? benchmarkId))
    .slice(0, triedBenchmarksMax)
  const isMain = ({ metric }: Result) => metric === (target.metric ?? metric)
  const mainIds = idsOf(results.filter(isMain))
  const furtherIds = idsOf(results.filter((result) => !isMain(result)))
  const read = async (window: { upTo: Run; branch: string; runs: number }): Promise<BenchmarkSeries> => {
    const [ofMain, ofFurther] = await Promise.all([
      deps.stores.benchmarks.series(caller, mainIds, window),
      deps.stores.benchmarks.series(
        caller,
        furtherIds,
        target.metric === null ? window : { ...window, metric: target.metric },
      ),
    ])
    return {
      runIds: ofMain.runIds,
      ofBenchmark: new Map([...ofMain.ofBenchmark, ...ofFurther.ofBenchmark]),
    }
  }
  const { runIds, ofBenchmark } = await read({ upTo: newest, branch, runs: rule.windowRuns + triedRunsMax })
  const isByDefaultBranch = branch !== defaultBranch && rule.test !== 'change_point'
  const before = new Map<string, BenchmarkSeries>()
  for (const run of isByDefaultBranch ? await newestRuns(projectId, branch, context) : []) {
    // oxlint-disable-next-line no-await-in-loop -- so that few histories are read at a time
    before.set(run.id, await read({ upTo: run, branch: defaultBranch, runs: rule.windowRuns }))
  }
  const found = results.flatMap((result) => {
    const { benchmarkId, uri } = result
    const betterWhen = betterWhenOf(result, target.metric)
    const series = ofBenchmark.get(benchmarkId)
    if (series === undefined) return []
    const { values, places, unit } = series
    const historyOf = (end: number): readonly number[] => {
      const runId = runIds[places[end] ?? -1] ?? ''
      const ofDefault = before.get(runId)
      if (ofDefault === undefined) return values.slice(0, end + 1)
      const own = { value: values[end] ?? NaN, unit, runId }
      return historyOnDefaultBranch(ofDefault, benchmarkId, own).values
    }
    const all = isByDefaultBranch
      ? stretches(values.length, historyOf, unit, rule)
      : findings({ values, unit }, rule)
    return all.map(({ end, finding }) => ({
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

function idsOf(results: readonly Result[]): string[] {
  return results.map(({ benchmarkId }) => benchmarkId)
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

/** One for each stretch of values past the same limit, each by a history of its own. */
function stretches(
  length: number,
  historyOf: (end: number) => readonly number[],
  unit: string,
  rule: ThresholdRule,
) {
  let last: Finding['direction'] | undefined
  return Array.from({ length: Math.min(length, triedRunsMax) }).flatMap((_, back, { length: tried }) => {
    const end = length - tried + back
    const finding = judgeSeries({ values: historyOf(end), unit }, rule)
    const isNew = finding?.direction !== last
    last = finding?.direction
    return finding !== undefined && isNew ? [{ end, finding }] : []
  })
}

function newestRuns(
  projectId: string,
  branch: string,
  { caller, deps }: CallContext,
): Promise<readonly Run[]> {
  const filter = { branch, status: 'COMPLETED' as const }
  return deps.stores.runs.list(caller, projectId, { limit: triedRunsMax }, filter)
}
