import type { operations, OutputOf } from '@flamegate/contract'
import {
  evaluateSla,
  isWebVital,
  measureText,
  parseDocument,
  scenario,
  unitOf,
  type Measured,
  type SlaAttachment,
  type SlaProfile,
} from '@flamegate/loadtest'
import { measuredSeconds, lateSeconds } from '../bench-runs/measured-seconds.ts'
import { pageLoadsAt } from '../bench-runs/page-loads.ts'
import { isNowhere, type Places } from '../bench-runs/places-of-scope.ts'
import { measuredOf } from '../bench-runs/thresholds.ts'
import type { Reading } from '../implement.ts'
import type { BenchPlan, BenchResult } from '../ports/index.ts'

export type SlaVerdictOnWire = OutputOf<typeof operations.getBenchResult>['sla'][number]

/** Each second of an hour; of what is longer, a step is as many seconds as it takes. */
const stepsMax = 3600

/** Holds what a run has measured so far, second by second, against the SLA profiles that were attached when it began. */
export async function judgeSla(
  reading: Reading,
  run: BenchResult,
  plan: BenchPlan,
): Promise<SlaVerdictOnWire[]> {
  const verdicts: SlaVerdictOnWire[] = []
  for (const { id, document } of plan.sla_profiles ?? []) {
    const profile = parseDocument('sla_profile', document)
    for (const attachment of profile.attachments) {
      const user = plan.virtual_users.find((each) => each.id === attachment.virtual_user_id)
      if (user === undefined) continue
      // oxlint-disable-next-line no-await-in-loop -- a few, of which each may be many seconds
      const measured = await measuredSteps(reading, run, plan, placesOf(attachment, plan), profile)
      for (const { measure, severity, value, words } of evaluateSla(profile, measured)) {
        verdicts.push({
          sla_profile_id: id,
          name: profile.name,
          of: nameOf(attachment, user.document, plan),
          metric: measureText(measure),
          unit: unitOf(measure.metric),
          severity,
          value: value === null ? null : Math.round(value * 1000) / 1000,
          words,
        })
      }
    }
  }
  return verdicts
}

/** What ticks call an attachment, in all profiles of the scenario that run its virtual user. */
function placesOf({ virtual_user_id: userId, action_id: actionId }: SlaAttachment, plan: BenchPlan): Places {
  const { profiles } = scenario.parse(plan.scenario)
  const places = profiles.flatMap((each, place) => (each.virtual_user_id === userId ? [place] : []))
  if (actionId === null) return { profiles: places }
  return {
    actions: plan.actions.flatMap(({ profile, action_id: id }, place) =>
      id === actionId && places.includes(profile) ? [place] : [],
    ),
  }
}

/** `Buyer`, or `Buyer, checkout` */
function nameOf(
  { action_id: actionId }: SlaAttachment,
  user: Record<string, unknown>,
  { actions }: BenchPlan,
): string {
  const name = String(user['name'])
  if (actionId === null) return name
  return `${name}, ${actions.find(({ action_id: id }) => id === actionId)?.name ?? actionId}`
}

async function measuredSteps(
  reading: Reading,
  run: BenchResult,
  plan: BenchPlan,
  places: Places,
  { bands }: Pick<SlaProfile, 'bands'>,
) {
  const { caller, deps } = reading
  const planned = Math.max(1, Math.ceil(run.durationMs / 1000))
  // What came in the last seconds of a run that goes on may not be here yet.
  const to = Math.min(planned, Math.max(1, measuredSeconds(run) - (run.endedAt === null ? lateSeconds : 0)))
  const ask = (pointsMax: number) =>
    isNowhere(places)
      ? undefined
      : deps.stores.series.query(caller, run.id, {
          kind: 'requests' as const,
          from: 0,
          to,
          pointsMax,
          ...places,
        })
  const all = await ask(1)
  const bySecond = await ask(stepsMax)
  const stepSeconds = bySecond?.bucketSeconds ?? 1
  const buckets = bySecond?.groups[0]?.buckets ?? []
  const loads = bands.some(({ metric }) => isWebVital(metric))
    ? await pageLoadsAt(reading, run, plan, places, { from: 0, to })
    : []
  const loadsByStep = Map.groupBy(loads, ({ second }) => Math.floor(second / stepSeconds) * stepSeconds)
  return {
    stepSeconds,
    total: measuredOf(all?.groups[0]?.buckets[0], to * 1000, loads),
    steps: buckets.map((bucket) => ({
      second: bucket.second,
      measured: ofOneSecond(
        measuredOf(bucket, bucket.seconds * 1000, loadsByStep.get(bucket.second)),
        bucket.seconds,
      ),
    })),
  }
}

/** What several seconds measured, as one of them did: bands are about seconds. */
function ofOneSecond(measured: Measured, seconds: number): Measured {
  return {
    ...measured,
    elapsedMs: measured.elapsedMs / seconds,
    count: measured.count / seconds,
    errorCount: measured.errorCount / seconds,
    receivedBytes: measured.receivedBytes / seconds,
    sentBytes: measured.sentBytes / seconds,
  }
}
