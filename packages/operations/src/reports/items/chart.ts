import { seriesMetrics, type ReportItem } from '@flamegate/loadtest'
import { counterOf } from '@flamegate/series'
import { askSeries, groupName, metricIn, seriesKindOf } from '../../bench-runs/bench-metrics.ts'
import { measureActions } from '../../bench-runs/measured-actions.ts'
import { isNowhere, placesOf, type Places } from '../../bench-runs/places-of-scope.ts'
import type { BenchPlan, BenchResult } from '../../ports/index.ts'
import { runsAt } from '../reaching.ts'
import { secondsOf, type ItemReading, type ItemValues } from './item-reading.ts'

type ChartItem = ReportItem & { type: 'chart' }
type ChartLine = ChartItem['lines'][number]
type Line = ItemValues<'chart'>['lines'][number]

/** Of agents there is nothing below ten seconds; all lines of a chart have the same buckets. */
const agentSeconds = 10
/** Lines of a chart, at most. */
const linesMax = 60
/** Actions that are drawn apart, at most: of hundreds no line could be told from another. */
const actionsMax = 12

interface OfRun {
  run: BenchResult
  plan: BenchPlan | undefined
  /** Up to which second there is something to tell. */
  end: number
}

export async function chartValues(item: ChartItem, at: ItemReading): Promise<ItemValues<'chart'>> {
  const runPlaces = [...new Set(item.lines.map(({ run }) => run ?? item.run))]
  const ofRuns = await runsOfChart(item, runPlaces, at)
  const span = {
    from: item.from_second,
    to: Math.max(item.from_second + 1, ...[...ofRuns.values()].map(({ end }) => end)),
  }
  const wanted = { ...widened(span, item, at.pointsMax), time: item.time }
  const answers = new Map<string, ReturnType<typeof askSeries>>()
  const found = await Promise.all(
    item.lines.map(async (line) => {
      const ofRun = ofRuns.get(line.run ?? item.run)
      const places = ofRun?.plan === undefined ? {} : placesOf(line.scope, ofRun.plan)
      if (ofRun === undefined || isNowhere(places)) return undefined
      const kind = seriesKindOf(line.metric)
      const apart = item.apart ?? undefined
      // Lines of the same series are asked for once.
      const key = JSON.stringify([ofRun.run.id, kind, places])
      const { actions, leftOut } = apart === 'action' ? await busiest(item, ofRun, places, at) : allOf(places)
      const asked =
        answers.get(key) ?? askSeries(at.reading, ofRun.run, kind, { ...wanted, ...places, actions, apart })
      answers.set(key, asked)
      return { line, ofRun, leftOut, answer: await asked }
    }),
  )
  const known = found.find((each) => (each?.answer?.groups.length ?? 0) > 0)?.answer
  return {
    type: 'chart',
    form: item.form,
    bucket_seconds: known?.bucketSeconds ?? 1,
    seconds: known?.groups[0]?.buckets.map(({ second }) => second) ?? [],
    lines: found
      .flatMap((each) => (each === undefined ? [] : linesOf(item, each, runPlaces.length > 1)))
      .slice(0, linesMax),
    actions_left_out: Math.max(0, ...found.map((each) => each?.leftOut ?? 0)),
    runs_left_out: runPlaces.length - ofRuns.size,
  }
}

interface Drawn {
  /** undefined: whichever there are. */
  actions: readonly number[] | undefined
  leftOut: number
}

function allOf({ actions }: Places): Drawn {
  return { actions, leftOut: 0 }
}

/** Those actions that had the most requests. */
async function busiest(
  { from_second: fromSecond, to_second: toSecond }: ChartItem,
  { run, plan }: OfRun,
  places: Places,
  { reading }: ItemReading,
): Promise<Drawn> {
  const isOfLine = (place: number) =>
    (places.actions?.includes(place) ?? true) &&
    (places.profiles?.includes(plan?.actions[place]?.profile ?? -1) ?? true)
  if ((plan?.actions ?? []).filter((_, place) => isOfLine(place)).length <= actionsMax) return allOf(places)
  const measured = await measureActions(reading, run, { fromSecond, toSecond })
  const byRequests = measured.actions
    .filter(({ action }) => isOfLine(action))
    .toSorted((a, b) => counterOf(b.bucket, 'count') - counterOf(a.bucket, 'count'))
  return {
    actions: byRequests.slice(0, actionsMax).map(({ action }) => action),
    leftOut: Math.max(0, byRequests.length - actionsMax),
  }
}

async function runsOfChart(
  item: ChartItem,
  places: readonly number[],
  { reading, projectId, report }: ItemReading,
): Promise<Map<number, OfRun>> {
  const runs = await runsAt(reading, projectId, report, places)
  const ofRuns = await Promise.all(
    runs.map(async ([place, run]) => {
      const plan = await reading.deps.stores.benchRuns.findPlan(reading.caller, run.id)
      return [place, { run, plan, end: secondsOf(item, run).to }] as const
    }),
  )
  return new Map(ofRuns)
}

/** Seconds and points such that all kinds of series answer in the same buckets. */
function widened(
  { from, to }: { from: number; to: number },
  { apart }: ChartItem,
  pointsMax: number,
): { from: number; to: number; pointsMax: number } {
  if (apart !== 'agent') return { from, to, pointsMax }
  const first = Math.floor(from / agentSeconds) * agentSeconds
  const last = Math.ceil(to / agentSeconds) * agentSeconds
  return { from: first, to: last, pointsMax: Math.max(2, Math.min(pointsMax, (last - first) / agentSeconds)) }
}

function linesOf(
  item: ChartItem,
  {
    line,
    ofRun: { run, plan, end },
    answer,
  }: { line: ChartLine; ofRun: OfRun; answer: Awaited<ReturnType<typeof askSeries>> },
  areSeveral: boolean,
): Line[] {
  return (answer?.groups ?? []).map((group) => ({
    name: nameOf(line, plan, {
      group: groupName(group, item.apart ?? undefined, plan),
      run: areSeveral ? run.name : '',
    }),
    metric: line.metric,
    unit: seriesMetrics[line.metric],
    axis: line.axis,
    bench_result_id: run.id,
    // Of a shorter run there is nothing after its end, which is not to say that it was idle.
    values: group.buckets.map((bucket) =>
      bucket.second < end ? metricIn(line.metric, bucket, item.time) : null,
    ),
  }))
}

function nameOf(
  { name, metric, scope }: ChartLine,
  plan: BenchPlan | undefined,
  { group, run }: { group: string; run: string },
): string {
  const what = name === '' ? [metric, scopeWords(scope, plan)] : [name]
  return [...what, group, run].filter((words) => words !== '').join(', ')
}

function scopeWords(scope: ChartLine['scope'], plan: BenchPlan | undefined): string {
  switch (scope.type) {
    case 'whole':
      return ''
    case 'profile':
      return groupName({ action: -1, agent: -1, profile: firstPlace(scope, plan) }, 'profile', plan)
    case 'container':
      return scope.name
    default:
      return plan?.actions.find(({ action_id: id }) => id === scope.action_id)?.name ?? scope.action_id
  }
}

function firstPlace(scope: ChartLine['scope'], plan: BenchPlan | undefined): number {
  return (plan === undefined ? undefined : placesOf(scope, plan).profiles?.[0]) ?? -1
}
