import {
  evaluateThreshold,
  isWebVital,
  scenario as scenarioSchema,
  thresholdText,
  type Distribution,
  type Measured,
  type Threshold,
  type ThresholdVerdict,
} from '@flamegate/loadtest'
import {
  apdexOf,
  countOf,
  counterOf,
  maxOf,
  meanOf,
  minOf,
  percentileOf,
  requestMetrics,
  type Histogram,
  type RequestBucket,
} from '@flamegate/series'
import type { Reading } from '../implement.ts'
import type { BenchPlan, BenchResult, StoredPageLoad } from '../ports/index.ts'
import { measuredSeconds } from './measured-seconds.ts'
import { pageLoadsAt, vitalDistributions } from './page-loads.ts'
import { isNowhere, placesOf, type Places } from './places-of-scope.ts'

export interface JudgedThreshold extends ThresholdVerdict {
  /** As people write it. */
  text: string
}

/** Holds what a run has measured so far against the thresholds of its scenario. */
export async function judgeThresholds(
  reading: Reading,
  run: BenchResult,
  plan: BenchPlan,
  { isWanted = () => true, now }: { isWanted?: (threshold: Threshold) => boolean; now?: Date } = {},
): Promise<JudgedThreshold[]> {
  const scenario = scenarioSchema.parse(plan.scenario)
  const thresholds = scenario.thresholds.filter(isWanted)
  if (!hasBegun(run, now))
    return thresholds.map((threshold) => ({
      text: thresholdText(threshold),
      state: 'no_data',
      value: null,
      isAborting: false,
    }))
  // Every second of a run: what nothing asks for is not read.
  const hasVitals = thresholds.some(({ metric }) => isWebVital(metric))
  const measured = new Map<string, Measured>()
  const judged: JudgedThreshold[] = []
  for (const threshold of thresholds) {
    const key = JSON.stringify(threshold.scope)
    // oxlint-disable-next-line no-await-in-loop -- once for each scope
    const ofScope =
      measured.get(key) ??
      (await measure(reading, run, plan, { places: placesOf(threshold.scope, plan), hasVitals, now }))
    measured.set(key, ofScope)
    judged.push({ text: thresholdText(threshold), ...evaluateThreshold(threshold, ofScope) })
  }
  return judged
}

/** Before that, no requests are not too few of them. */
function hasBegun({ startedAt, endedAt }: BenchResult, now = new Date()): boolean {
  return startedAt !== null && startedAt <= (endedAt ?? now)
}

async function measure(
  reading: Reading,
  run: BenchResult,
  plan: BenchPlan,
  { places, hasVitals, now }: { places: Places; hasVitals: boolean; now: Date | undefined },
): Promise<Measured> {
  const { caller, deps } = reading
  const to = measuredSeconds(run, now)
  const answer = isNowhere(places)
    ? undefined
    : await deps.stores.series.query(caller, run.id, {
        kind: 'requests',
        from: 0,
        to,
        pointsMax: 1,
        ...places,
      })
  const bucket = answer?.groups[0]?.buckets[0]
  const loads = hasVitals ? await pageLoadsAt(reading, run, plan, places, { from: 0, to }) : []
  return measuredOf(bucket, Math.min(to * 1000, Math.max(1000, run.durationMs)), loads)
}

/** What thresholds and bands look at, of some seconds of a run. */
export function measuredOf(
  bucket: RequestBucket | undefined,
  elapsedMs: number,
  pageLoads: readonly StoredPageLoad[] = [],
): Measured {
  return {
    elapsedMs,
    count: bucket === undefined ? 0 : counterOf(bucket, 'count'),
    errorCount: bucket === undefined ? 0 : requestMetrics.errors(bucket),
    receivedBytes: bucket === undefined ? 0 : counterOf(bucket, 'received_bytes'),
    sentBytes: bucket === undefined ? 0 : counterOf(bucket, 'sent_bytes'),
    distributions: {
      ...(bucket === undefined
        ? {}
        : {
            ...named('duration', bucket.responseTime),
            ...named('service_time', bucket.serviceTime),
          }),
      ...vitalDistributions(pageLoads),
    },
    apdex: (targetMs) => (bucket === undefined ? undefined : (apdexOf(bucket, targetMs * 1000) ?? undefined)),
  }
}

function named(name: Threshold['metric'], histogram: Histogram): Measured['distributions'] {
  if (countOf(histogram) === 0) return {}
  const distribution: Distribution = {
    mean: inMs(meanOf(histogram)),
    min: inMs(minOf(histogram)),
    max: inMs(maxOf(histogram)),
    percentile: (percent) => inMs(percentileOf(histogram, percent)),
  }
  return { [name]: distribution }
}

function inMs(microseconds: number | null): number {
  return (microseconds ?? 0) / 1000
}
