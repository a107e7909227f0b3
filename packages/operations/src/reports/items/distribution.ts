import type { ReportItem } from '@flamegate/loadtest'
import { countOf, distributionBars, percentileCurve, type Histogram } from '@flamegate/series'
import { isNowhere, placesOf } from '../../bench-runs/places-of-scope.ts'
import type { BenchResult } from '../../ports/index.ts'
import { reportRunOnWire } from '../on-wire.ts'
import { runsAt } from '../reaching.ts'
import { totalSecondsOf, type ItemReading, type ItemValues } from './item-reading.ts'

const barsMax = 60

export async function distributionValues(
  item: ReportItem & { type: 'distribution' },
  at: ItemReading,
): Promise<ItemValues<'distribution'>> {
  const { reading, projectId, report } = at
  const places = item.runs.length > 0 ? item.runs : [item.run]
  const runs = await runsAt(reading, projectId, report, places)
  return {
    type: 'distribution',
    form: item.form,
    runs: await Promise.all(
      runs.map(async ([, run]) => {
        const times = await timesOf(item, run, at)
        return {
          run: reportRunOnWire(run),
          count: times === undefined ? 0 : countOf(times),
          percentiles:
            times === undefined
              ? []
              : percentileCurve(times).map(({ percent, valueUs }) => ({
                  percentile: percent,
                  ms: valueUs / 1000,
                })),
          bars:
            times === undefined
              ? []
              : distributionBars(times, barsMax).map(({ fromUs, toUs, count }) => ({
                  from_ms: fromUs / 1000,
                  to_ms: toUs / 1000,
                  count,
                })),
        }
      }),
    ),
    runs_left_out: places.length - runs.length,
  }
}

/** Response times of what a scope means in a run; undefined when nothing was measured. */
async function timesOf(
  { scope, ...item }: ReportItem & { type: 'distribution' },
  run: BenchResult,
  { reading: { caller, deps } }: ItemReading,
): Promise<Histogram | undefined> {
  const plan = await deps.stores.benchRuns.findPlan(caller, run.id)
  const places = plan === undefined ? {} : placesOf(scope, plan)
  if (isNowhere(places)) return undefined
  const answer = await deps.stores.series.query(caller, run.id, {
    kind: 'requests',
    ...totalSecondsOf(item, run),
    pointsMax: 1,
    ...places,
  })
  return answer?.groups[0]?.buckets[0]?.responseTime
}
