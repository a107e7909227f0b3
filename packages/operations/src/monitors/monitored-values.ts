import type { ItemValuesShape } from '@flamegate/contract'
import {
  alarmsOf,
  chunkSeconds,
  counterMatcher,
  decodeChunk,
  mergeValues,
  type Monitor,
  type MonitorValues,
  parseDocument,
} from '@flamegate/loadtest'
import type { Reading } from '../implement.ts'
import type { BenchResult } from '../ports/index.ts'

type Monitored = Extract<ItemValuesShape, { type: 'monitors' }>

/** Which of the values of a run are asked for. */
interface MonitorQuestion {
  /** Seconds of the run, without the last. */
  from: number
  to: number
  pointsMax: number
  /** Null: all. */
  monitorId: string | null
  /** Names, where `*` stands for anything; empty: all. */
  counters: readonly string[]
}

/** Counters that are drawn, at most; those that raised an alarm come first. Alarms are of all. */
const countersShown = 60

/** What monitors saw in a run, in buckets of equal length with the mean of what is in each, and alarms of every value. */
export async function monitoredValues(
  reading: Reading,
  run: BenchResult,
  question: MonitorQuestion,
): Promise<Pick<Monitored, 'seconds' | 'counters' | 'alarms'>> {
  const { from, to, pointsMax, monitorId } = question
  const all = await reading.deps.stores.monitors.listRun(reading.caller, run.id)
  const monitored = all
    .filter((each) => monitorId === null || each.monitorId === monitorId)
    .map((each) => ({ ...each, monitor: parseDocument('monitor', each.document) }))
  if (monitored.length === 0) return { seconds: [], counters: [], alarms: [] }
  const bucketSeconds = Math.max(
    Math.min(...monitored.map(({ monitor }) => monitor.interval_seconds)),
    Math.ceil((to - from) / pointsMax),
  )
  const seconds = Array.from(
    { length: Math.ceil((to - from) / bucketSeconds) },
    (_, index) => from + index * bucketSeconds,
  )
  const counters: (Monitored['counters'][number] & { isAlarming: boolean })[] = []
  const alarms: Monitored['alarms'] = []
  for (const { monitor, monitorId: id } of monitored) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for they may be large
    const seen = await valuesOf(reading, run.id, { monitor, monitorId: id }, question)
    const alarming = new Set(seen.alarms.map(({ counter }) => counter))
    counters.push(
      ...seen.shown.counters.map(({ name, unit, values }) => ({
        monitor_id: id,
        monitor: monitor.name,
        counter: name,
        unit,
        values: inBuckets(seen.shown.seconds, values, {
          from,
          bucketSeconds,
          count: seconds.length,
          holdsSeconds: monitor.interval_seconds,
        }),
        isAlarming: alarming.has(name),
      })),
    )
    alarms.push(...seen.alarms)
  }
  return {
    seconds,
    counters: counters
      .toSorted((a, b) => Number(b.isAlarming) - Number(a.isAlarming))
      .slice(0, countersShown)
      .map(({ isAlarming: _isAlarming, ...counter }) => counter),
    alarms: alarms.toSorted((a, b) => a.second - b.second),
  }
}

async function valuesOf(
  { caller, deps }: Reading,
  benchResultId: string,
  { monitorId, monitor }: { monitorId: string; monitor: Monitor },
  { from, to, counters }: MonitorQuestion,
): Promise<{ shown: MonitorValues; alarms: Monitored['alarms'] }> {
  const isShown = counters.length === 0 ? () => true : counterMatcher(counters)
  const isWatched = counterMatcher(monitor.thresholds.flatMap((threshold) => threshold.counters))
  const chunks = await deps.stores.monitors.readMinutes(
    caller,
    { benchResultId, monitorId },
    { from: Math.floor(from / chunkSeconds), to: Math.ceil(to / chunkSeconds) },
  )
  const values = mergeValues(
    ...chunks.map((bytes) => {
      const chunk = decodeChunk(bytes)
      return { ...chunk, counters: chunk.counters.filter(({ name }) => isShown(name) || isWatched(name)) }
    }),
  )
  return {
    shown: { ...values, counters: values.counters.filter(({ name }) => isShown(name)) },
    alarms: alarmsOf(monitor.thresholds, values)
      .filter(({ second, counter }) => second >= from && second < to && isShown(counter))
      .map(({ counter, severity, second, value, words }) => ({
        monitor: monitor.name,
        counter,
        severity,
        second,
        value,
        words,
      })),
  }
}

/** The mean of what is in each bucket; in one without any the value before, as long as it holds; else null. */
function inBuckets(
  seconds: readonly number[],
  values: readonly (number | null)[],
  {
    from,
    bucketSeconds,
    count,
    holdsSeconds,
  }: { from: number; bucketSeconds: number; count: number; holdsSeconds: number },
): (number | null)[] {
  const sums = new Float64Array(count)
  const counts = new Uint32Array(count)
  for (const [index, second] of seconds.entries()) {
    const value = values[index] ?? null
    const bucket = Math.floor((second - from) / bucketSeconds)
    if (value === null || bucket < 0 || bucket >= count) continue
    sums[bucket] = (sums[bucket] ?? 0) + value
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  let held: { value: number; bucket: number } | undefined
  return Array.from(counts, (of, bucket) => {
    if (of > 0) held = { value: Math.round(((sums[bucket] ?? 0) / of) * 10_000) / 10_000, bucket }
    const isHeld = held !== undefined && (bucket - held.bucket) * bucketSeconds < holdsSeconds
    return isHeld ? (held?.value ?? null) : null
  })
}
