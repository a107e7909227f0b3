import {
  distributionOf,
  ratingOf,
  webVitalNames,
  webVitals,
  type ReportItem,
  type VitalRating,
  type WebVital,
} from '@flamegate/loadtest'
import { pageLoadsAt } from '../../bench-runs/page-loads.ts'
import { placesOf } from '../../bench-runs/places-of-scope.ts'
import type { Reading } from '../../implement.ts'
import { pageLoadsMax, type BenchResult, type StoredPageLoad } from '../../ports/index.ts'
import { totalSecondsOf, type ItemReading, type ItemValues } from './item-reading.ts'

type Vital = ItemValues<'web_vitals'>['vitals'][number]

/** By it vitals are judged: three of four page loads were as good as this, or better. */
const judgedPercent = 75

export async function webVitalValues(
  item: ReportItem & { type: 'web_vitals' },
  run: BenchResult,
  { reading }: ItemReading,
): Promise<ItemValues<'web_vitals'>> {
  const loads = await pageLoadsOf(item, run, reading)
  const byPage = [...Map.groupBy(loads, ({ page }) => page)].toSorted(([, a], [, b]) => b.length - a.length)
  return {
    type: 'web_vitals',
    page_loads: loads.length,
    is_cut: loads.length >= pageLoadsMax,
    vitals: webVitalNames.map((vital) => summed(vital, loads)),
    pages: byPage.slice(0, item.count).map(([page, own]) => ({
      page,
      page_loads: own.length,
      vitals: webVitalNames.map((vital) => {
        const { p75, rating } = summed(vital, own)
        return { vital, p75, rating }
      }),
    })),
  }
}

async function pageLoadsOf(
  { scope, ...item }: ReportItem & { type: 'web_vitals' },
  run: BenchResult,
  reading: Reading,
): Promise<StoredPageLoad[]> {
  const plan = await reading.deps.stores.benchRuns.findPlan(reading.caller, run.id)
  if (plan === undefined) return []
  return pageLoadsAt(reading, run, plan, placesOf(scope, plan), totalSecondsOf(item, run))
}

function summed(vital: WebVital, loads: readonly StoredPageLoad[]): Vital {
  const values = loads.flatMap((load) => load[vital] ?? [])
  const p75 = distributionOf(values)?.percentile(judgedPercent) ?? null
  const { name, unit, goodMax, poorAbove } = webVitals[vital]
  const rated = (rating: VitalRating) => values.filter((value) => ratingOf(vital, value) === rating).length
  return {
    vital,
    name,
    unit,
    count: values.length,
    p75: p75 === null ? null : Math.round(p75 * 1000) / 1000,
    rating: p75 === null ? null : ratingOf(vital, p75),
    good_max: goodMax,
    poor_above: poorAbove,
    good: rated('good'),
    needs_improvement: rated('needs_improvement'),
    poor: rated('poor'),
  }
}
