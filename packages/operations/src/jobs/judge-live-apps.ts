import { formatAlertValue } from '@flamegate/contract'
import { nextStreak, type AlertReading, type AlertStreak, type Unjudged } from '@flamegate/live'
import { alertThresholdsOf, liveAlertTypes } from '../live/alert-thresholds-of.ts'
import { readAlerts } from '../live/read-alerts.ts'
import type {
  AlertThresholds,
  JudgedApp,
  LiveAlertType,
  NewLiveAlert,
  Stores,
  WatchedApp,
} from '../ports/index.ts'
import { workerCaller } from './job.ts'

/** Holds live apps against their thresholds, and opens and ends alerts. */
export async function judgeLiveApps(
  apps: readonly { workspaceId: string; id: string }[],
  { stores }: { stores: Pick<Stores, 'liveAlerts'> },
): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other, so that other work gets its turn
  for (const app of apps) await judgeLiveApp(app, stores.liveAlerts)
}

async function judgeLiveApp(
  place: { workspaceId: string; id: string },
  store: Stores['liveAlerts'],
): Promise<void> {
  const caller = workerCaller(place.workspaceId)
  const watched = await store.take(caller, place)
  if (watched === undefined) return
  const { app } = watched
  const thresholds = alertThresholdsOf(watched.thresholds, 'live_app', app.id)
  const readings = app.endedAt === null ? await readAlerts(caller, store, app, thresholds) : new Map()
  await store.note(caller, app, judgedOf(watched, thresholds, readings, new Date()))
}

/** What comes of what was read. An alert also ends when its app does, and when nothing is asked of that any more. */
export function judgedOf(
  { app, isOff, lasting, streaks: before }: Pick<WatchedApp, 'app' | 'isOff' | 'lasting' | 'streaks'>,
  thresholds: AlertThresholds,
  readings: ReadonlyMap<LiveAlertType, AlertReading | Unjudged>,
  now: Date,
): JudgedApp {
  const streaks: Partial<Record<LiveAlertType, AlertStreak>> = {}
  const opened: NewLiveAlert[] = []
  const closed: { id: string; until: Date; reason: string }[] = []
  for (const type of liveAlertTypes) {
    const alert = lasting.find((each) => each.type === type)
    const threshold = thresholds[type]
    if (threshold === null || isOff || app.endedAt !== null) {
      const reason = app.endedAt === null ? 'Its threshold is off.' : 'The app has ended.'
      if (alert !== undefined) closed.push({ id: alert.id, until: app.endedAt ?? now, reason })
      continue
    }
    const reading = readings.get(type)
    const known = before[type]
    if (reading === undefined || 'unjudged' in reading) {
      if (known !== undefined) streaks[type] = known
      continue
    }
    const forSeconds = threshold.for_seconds
    const { streak, event } = nextStreak(known, reading, { forSeconds, isAlerting: alert !== undefined })
    streaks[type] = streak
    const since = new Date(streak.sinceMs)
    if (event === 'opens' && reading.value !== null)
      opened.push({
        type,
        subject: reading.of,
        unit: reading.unit,
        value: reading.value,
        crossedLimit: reading.limit,
        forSeconds,
        reason: openWords(type, thresholds, { ...reading, value: reading.value }, forSeconds),
        since,
      })
    if (event === 'closes' && alert !== undefined)
      closed.push({ id: alert.id, until: since, reason: closeWords(reading) })
  }
  return { streaks, opened, closed }
}

function openWords(
  type: LiveAlertType,
  { slow_response: slow }: AlertThresholds,
  { value, limit, unit, of }: AlertReading & { value: number },
  forSeconds: number,
): string {
  const what = {
    high_cpu: `Processor time of the process ${of}`,
    high_memory: `Memory of the process ${of}`,
    slow_response: `${slow?.statistic ?? 'p95'} of ${of === '' ? 'all calls' : of}`,
    high_error_rate: 'The share of calls that failed',
  }[type]
  const lasted = forSeconds === 0 ? '' : ` for ${forSeconds} s`
  return `${what} is ${formatAlertValue(value, unit)}, above ${formatAlertValue(limit, unit)}${lasted}.`
}

function closeWords({ value, limit, unit }: AlertReading): string {
  return value === null
    ? 'Nothing is called any more.'
    : `${formatAlertValue(value, unit)} is well below ${formatAlertValue(limit, unit)} again.`
}
