import { benchmarkNoise, formatQuantity } from '@flamegate/benchmarks'
import type { Caller } from '@flamegate/contract'
import { applyingThreshold, defaultRule, type ThresholdRule } from '../benchmarks/applying-threshold.ts'
import { defaultBranchOf } from '../benchmarks/default-branch.ts'
import { historyOnDefaultBranch } from '../benchmarks/history-on-default-branch.ts'
import { findingVerdict, judgeSeries, type Finding } from '../benchmarks/judge-series.ts'
import type { Alert, BenchmarkSeries, NewAlert, Result, Run, StoredThreshold } from '../ports/index.ts'
import { workerCaller, type JobDeps, type JobHandler } from './job.ts'

/** Histories that are read at once: a few megabytes. */
const benchmarksPerQuery = 500
const windowRunsMin = 314
/** The noise of lately; older runs say less of how it is now. */
const noiseRuns = 100

/** Judges a run that was completed, and notes that it was. Twice does no harm. */
export const watchRun: JobHandler<'watch_run'> = async ({ runId, workspaceId }, deps) => {
  const caller = workerCaller(workspaceId)
  const run = await deps.stores.runs.find(caller, runId)
  if (run?.status !== 'COMPLETED') return
  await judgeRun(run, caller, deps)
  if (run.unjudgedSince !== null) await deps.stores.runs.markJudged(caller, run.id, run.unjudgedSince)
}

/**
 * Notes how much the benchmarks of a run vary, if it is on the default branch, and raises alerts by the thresholds that
 * apply, unless the project does without. Runs of other branches are held against the default branch's history, and only
 * by thresholds that name their branch; what else is to be said of them, `check_regression` says.
 */
async function judgeRun(run: Run, caller: Caller, deps: JobDeps): Promise<void> {
  const project = await deps.stores.projects.find(caller, run.projectId)
  if (project === undefined) return
  const raisesAlerts = project.alertsOffSince === null
  const [defaultBranch, all] = await Promise.all([
    defaultBranchOf(deps.stores, caller, project),
    deps.stores.thresholds.list(caller, project.id),
  ])
  const isDefault = run.branch === defaultBranch
  const thresholds = isDefault ? all : all.filter(({ branch }) => branch === run.branch)
  if (!isDefault && (thresholds.length === 0 || !raisesAlerts)) return

  const furtherMetrics = raisesAlerts ? [...new Set(thresholds.flatMap(({ metric }) => metric ?? []))] : []
  const results = await deps.stores.runs.listResults(caller, run.id, {
    withMetrics: furtherMetrics.length > 0,
  })
  for (let start = 0; start < results.length; start += benchmarksPerQuery) {
    const part = results.slice(start, start + benchmarksPerQuery)
    for (const metric of [undefined, ...furtherMetrics]) {
      // oxlint-disable-next-line no-await-in-loop -- so that few histories are held at a time
      await watchPart(part, metric, { caller, deps, run, defaultBranch, thresholds, raisesAlerts })
    }
  }
}

interface Watch {
  caller: Caller
  deps: JobDeps
  run: Run
  defaultBranch: string
  thresholds: readonly StoredThreshold[]
  raisesAlerts: boolean
}

/** Judges one metric of some benchmarks of the run; the main one when it is not named. */
async function watchPart(
  results: readonly Result[],
  metric: string | undefined,
  { caller, deps, run, defaultBranch, thresholds, raisesAlerts }: Watch,
): Promise<void> {
  const isDefault = run.branch === defaultBranch
  const measured = results.flatMap((result) => measuredOf(result, metric) ?? [])
  const ids = measured.map(({ result }) => result.benchmarkId)
  const runs = Math.max(windowRunsMin, ...thresholds.map(({ windowRuns }) => windowRuns + 1))
  const further = metric === undefined ? {} : { metric }
  const [own, ofDefault, alerts] = await Promise.all([
    deps.stores.benchmarks.series(caller, ids, { upTo: run, branch: run.branch, runs, ...further }),
    isDefault
      ? undefined
      : deps.stores.benchmarks.series(caller, ids, { upTo: run, branch: defaultBranch, runs, ...further }),
    deps.stores.alerts.listOfBenchmarks(caller, run.projectId, ids, { branch: run.branch }),
  ])
  if (isDefault && metric === undefined) await noteNoise(own, caller, deps, run)
  if (!raisesAlerts) return

  const raised: NewAlert[] = []
  for (const { result, name, betterWhen } of measured) {
    const { benchmarkId } = result
    const rule = ruleFor(thresholds, isDefault, run.branch, result, name, metric === undefined)
    const series = own.ofBenchmark.get(benchmarkId)
    if (result.state !== 'active' || rule === undefined || series === undefined) continue
    const known = alerts.filter(
      (alert) => alert.benchmarkId === benchmarkId && alert.metric === name && alert.test === rule.test,
    )
    const history =
      ofDefault === undefined || rule.test === 'change_point'
        ? { runIds: own.runIds, ...series }
        : historyOnDefaultBranch(ofDefault, benchmarkId, {
            value: series.values.at(-1) ?? NaN,
            unit: series.unit,
            runId: run.id,
          })
    const runIdAt = (index: number) => history.runIds[history.places[index] ?? -1] ?? run.id
    const finding = judgeSeries({ values: history.values, unit: series.unit }, rule, placesOf(known, history))
    const back =
      finding === undefined && rule.test === 'change_point'
        ? returned(
            known.filter(({ unit }) => unit === series.unit),
            history,
          )
        : undefined
    if (back !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- rare
      await deps.stores.alerts.changeState(caller, back.alert.id, {
        state: 'resolved',
        reason: `The level went back to what it was before: the last ${history.values.length - back.index} runs are near ${formatQuantity(back.alert.baseline, series.unit)}.`,
        backRunId: runIdAt(back.index),
      })
      continue
    }
    if (finding === undefined) {
      // oxlint-disable-next-line no-await-in-loop -- rare
      await resolvePassed(known, { value: series.values.at(-1) ?? NaN, unit: series.unit }, caller, deps, run)
      continue
    }
    const left = rule.test === 'change_point' ? leftAgain(known, finding) : undefined
    if (left !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- rare
      await deps.stores.alerts.changeState(caller, left.id, {
        state: 'resolved',
        reason: `The level went back to what it was before. ${finding.reason}`,
        backRunId: runIdAt(finding.index),
      })
      // What was fixed is well again; an improvement that is lost, after it lasted, is a regression of its own.
      if (findingVerdict(rule, finding, betterWhen) === 'improved') continue
    }
    const { index, direction: _direction, ...found } = finding
    raised.push({
      ...found,
      benchmarkId,
      metric: name,
      branch: run.branch,
      test: rule.test,
      runId: runIdAt(index),
      raisedByRunId: run.id,
      verdict: findingVerdict(rule, finding, betterWhen),
      unit: series.unit,
    })
  }
  await deps.stores.alerts.raise(caller, run, raised)
}

interface Measured {
  result: Result
  name: string
  /** Undefined where neither the tool nor the unit tells. */
  betterWhen: 'lower' | 'higher' | undefined
}

/** What a result measured under that name; undefined when it did not. */
function measuredOf(result: Result, metric: string | undefined): Measured | undefined {
  if (metric === undefined) return { result, name: result.metric, betterWhen: result.betterWhen }
  // The main one is judged as that.
  if (metric === result.metric) return undefined
  const further = result.metrics.find(({ name }) => name === metric)
  return further && { result, name: metric, betterWhen: further.betterWhen }
}

function ruleFor(
  thresholds: readonly StoredThreshold[],
  isDefault: boolean,
  branch: string,
  { benchmarkId }: Result,
  metric: string,
  isMainMetric: boolean,
): ThresholdRule | undefined {
  return (
    applyingThreshold(thresholds, { branches: [branch], benchmarkId, metric, isMainMetric }) ??
    (isDefault && isMainMetric ? defaultRule : undefined)
  )
}

/** Where in a history the changes begin that alerts told of, and those that ended them. */
function placesOf(
  alerts: readonly Alert[],
  { places, runIds }: { places: readonly number[]; runIds: readonly string[] },
): number[] {
  const told = alerts.flatMap(({ runId, backRunId }) => (backRunId === null ? [runId] : [runId, backRunId]))
  return told.flatMap((runId) => {
    const place = runIds.indexOf(runId)
    return place === -1 ? [] : places.findIndex((each) => each >= place)
  })
}

/** The alert of the newest change that lasts. */
function lastingAlert(alerts: readonly Alert[]): Alert | undefined {
  return alerts
    .filter(({ backRunId }) => backRunId === null)
    .toSorted((a, b) => a.runCreatedAt.getTime() - b.runCreatedAt.getTime())
    .at(-1)
}

/** So many runs near a level are no accident, and a change that was undone sooner than it could be a baseline is seen. */
const returnedRunsMin = 5

/**
 * The alert whose level was left for the one before it, and the first run that did. A change of level can only be told
 * from a level that lasted; what is fixed after a few runs is told by the level from which the alert began.
 */
function returned(
  alerts: readonly Alert[],
  history: { values: readonly number[]; places: readonly number[]; runIds: readonly string[] },
): { alert: Alert; index: number } | undefined {
  const alert = lastingAlert(alerts)
  if (alert === undefined) return undefined
  const { values } = history
  const { baseline, value } = alert
  const [start] = placesOf([alert], history)
  const isNearBaseline = (each: number) => Math.abs(each - baseline) < Math.abs(each - value)
  const index = values.findLastIndex((each) => !isNearBaseline(each)) + 1
  const after = values.slice(index)
  if (start === undefined || index <= start || after.length < returnedRunsMin) return undefined
  const level = after.reduce((sum, each) => sum + each, 0) / after.length
  return isBackAt(alert, level) ? { alert, index } : undefined
}

function isBackAt({ baseline, value }: Alert, level: number): boolean {
  return Math.abs(level - baseline) < Math.abs(value - baseline) / 4
}

/** The alert whose change is undone by this one. */
function leftAgain(alerts: readonly Alert[], finding: Finding): Alert | undefined {
  const last = lastingAlert(alerts)
  if (last === undefined || last.value > last.baseline === (finding.direction === 'up')) return undefined
  return isBackAt(last, finding.value) ? last : undefined
}

/** Ends the alerts of values past a limit when the newest value is back within the limit that was crossed then. */
async function resolvePassed(
  alerts: readonly Alert[],
  { value, unit }: { value: number; unit: string },
  caller: Caller,
  deps: JobDeps,
  run: Run,
): Promise<void> {
  const passed = alerts.filter(
    (alert) =>
      alert.state !== 'resolved' &&
      alert.crossedLimit !== null &&
      alert.unit === unit &&
      (alert.value > alert.crossedLimit ? value <= alert.crossedLimit : value >= alert.crossedLimit),
  )
  for (const { id, crossedLimit } of passed) {
    // oxlint-disable-next-line no-await-in-loop -- one, as a rule
    await deps.stores.alerts.changeState(caller, id, {
      state: 'resolved',
      reason: `${formatQuantity(value, unit)} is back within the limit ${formatQuantity(crossedLimit ?? value, unit)}.`,
      backRunId: run.id,
    })
  }
}

async function noteNoise(
  { ofBenchmark }: BenchmarkSeries,
  caller: Caller,
  deps: JobDeps,
  run: Run,
): Promise<void> {
  const noise = [...ofBenchmark].flatMap(([benchmarkId, { values }]) => {
    // Of the runs before this one, by which it is judged: a step that it makes is none of its noise.
    const lately = values.slice(-noiseRuns - 1, -1)
    const percent = benchmarkNoise(lately)
    return percent === undefined ? [] : { benchmarkId, percent, runs: lately.length }
  })
  await deps.stores.benchmarks.noteNoise(caller, run.workspaceId, noise)
}
