import { operations, Problem, type OutputOf } from '@flamegate/contract'
import type { HeapTrend, SiteTrend } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { askSeveral } from './asking.ts'
import { comparing } from './comparing.ts'
import { heapSeriesReport } from './heap-series-report.ts'
import { heapSiteOnWire } from './heap-site-on-wire.ts'
import { openProfiles } from './open-profiles.ts'
import { samplingNote } from './sampling-note.ts'
import { takenAt } from './taken-at.ts'

type Answer = OutputOf<typeof operations.analyzeHeapTimeSeries>

const confidence = 0.95
/** With fewer profiles, a slope has no interval of that confidence. */
const profilesForInterval = 5

export const analyzeHeapTimeSeries = implement(operations.analyzeHeapTimeSeries)(async (input, context) => {
  const records = await openProfiles(context, input.profile_ids)
  const { timesMs, isByUpload } = takenAt(records)
  const ordered = records
    .map((record, index) => ({ record, timeMs: timesMs[index]! }))
    .toSorted((a, b) => a.timeMs - b.timeMs)
  const times = ordered.map(({ timeMs }) => timeMs)
  requireSeries(times)

  const trends = await comparing(
    askSeveral(
      context,
      ordered.map(({ record }) => record),
      'heapSeries',
      { timesMs: times, limit: input.limit, confidence },
    ),
  )
  const answer: Omit<Answer, 'report'> = {
    series: ordered.map(({ record }, index) => ({
      profile_id: record.id,
      taken_at: new Date(times[index]!).toISOString(),
      in_use: trends.whole.inUse[index]!,
      allocated: trends.allocated[index] ?? null,
    })),
    seconds: (times.at(-1)! - times[0]!) / 1000,
    whole: trendOnWire(trends.whole),
    growing: trends.growing.map(siteOnWire),
    levelled_off: trends.levelledOff.map(siteOnWire),
    bursts: trends.bursts.map(siteOnWire),
    shrinking: trends.shrinking.map(siteOnWire),
    others_growth: trends.othersGrowth,
    notes: [
      samplingNote(trends.sampleBytes),
      ...(times.length < profilesForInterval
        ? [
            `${times.length} profiles are too few for a confidence interval of a slope: take ${profilesForInterval} or more, better 8, with the same work in between.`,
          ]
        : []),
      ...(isByUpload
        ? [
            'When a profile was taken is not in every file: times of upload stand for it. Slopes are right only if each was uploaded as soon as it was taken.',
          ]
        : []),
      ...trends.warnings,
    ],
  }
  return { ...answer, report: heapSeriesReport(answer) }
})

/** @throws Problem `invalid_input` */
function requireSeries(times: readonly number[]): void {
  const message =
    times.length < 3
      ? 'Give three different profiles or more.'
      : times.some((time, index) => time === times[index - 1])
        ? 'Two of these profiles were taken at the same time.'
        : undefined
  if (message === undefined) return
  throw new Problem('invalid_input', message, { errors: [{ field: 'profile_ids', message }] })
}

function siteOnWire(site: SiteTrend): Answer['growing'][number] {
  return {
    ...heapSiteOnWire(site),
    ...trendOnWire(site),
    object_growth: site.objectGrowth ?? null,
    allocated: site.allocated ?? null,
  }
}

function trendOnWire(trend: HeapTrend): Answer['whole'] {
  return {
    in_use: trend.inUse,
    growth: trend.growth,
    slope_per_hour: trend.slopePerHour,
    slope_low_per_hour: trend.slopeLowPerHour ?? null,
    slope_high_per_hour: trend.slopeHighPerHour ?? null,
    rising_percent: trend.risingShare * 100,
    certainty: trend.certainty,
    projected_in_use: trend.projected.inUse,
    projected_low: trend.projected.low ?? null,
    projected_high: trend.projected.high ?? null,
  }
}
