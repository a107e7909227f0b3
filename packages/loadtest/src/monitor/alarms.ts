import { counterMatcher } from './counter-name.ts'
import type { CounterValues, MonitorValues } from './counter-values.ts'
import type { MonitorThreshold } from './monitor.ts'

/** That a counter was where it should not be, for as long as its threshold says. */
export interface MonitorAlarm {
  threshold: string
  counter: string
  severity: 'warning' | 'critical'
  /** When it had been there for long enough. */
  second: number
  /** The value at that second. */
  value: number
  words: string
}

/** Alarms of all thresholds, by second; one for each time that a counter went there and stayed. */
export function alarmsOf(thresholds: readonly MonitorThreshold[], values: MonitorValues): MonitorAlarm[] {
  return thresholds
    .flatMap((threshold) => {
      const isMeant = counterMatcher(threshold.counters)
      return values.counters
        .filter(({ name }) => isMeant(name))
        .flatMap((counter) => alarmsOfCounter(threshold, values.seconds, counter))
    })
    .toSorted((a, b) => a.second - b.second || (a.counter < b.counter ? -1 : 1))
}

function alarmsOfCounter(
  threshold: MonitorThreshold,
  seconds: readonly number[],
  { name, unit, values }: CounterValues,
): MonitorAlarm[] {
  const alarms: MonitorAlarm[] = []
  let stay: { from: number; count: number; extreme: number; alarm: MonitorAlarm | undefined } | undefined
  for (const [index, second] of seconds.entries()) {
    const value = values[index] ?? null
    // Where nothing was measured, nothing ends and nothing begins.
    if (value === null) continue
    if (!isBeyond(threshold, value)) {
      stay = undefined
      continue
    }
    stay ??= { from: second, count: 0, extreme: value, alarm: undefined }
    stay.count += 1
    stay.extreme = threshold.below === null ? Math.max(stay.extreme, value) : Math.min(stay.extreme, value)
    if (stay.alarm === undefined && lasts(threshold, stay.count, second - stay.from)) {
      stay.alarm = {
        threshold: threshold.name,
        counter: name,
        severity: threshold.severity,
        second,
        value,
        words: '',
      }
      alarms.push(stay.alarm)
    }
    if (stay.alarm !== undefined)
      stay.alarm.words = `${threshold.name}: ${name} was ${conditionWords(threshold, unit)} from second ${stay.from} to ${second}, ${threshold.below === null ? 'at most' : 'at least'} ${withUnit(stay.extreme, unit)}.`
  }
  return alarms
}

function isBeyond({ above, below, between }: MonitorThreshold, value: number): boolean {
  if (above !== null) return value > above
  if (below !== null) return value < below
  return between !== null && value >= between[0] && value <= between[1]
}

function lasts({ occurrences, seconds }: MonitorThreshold, count: number, duration: number): boolean {
  return seconds === null ? count >= (occurrences ?? 1) : duration >= seconds
}

function conditionWords({ above, below, between }: MonitorThreshold, unit: string): string {
  if (above !== null) return `above ${withUnit(above, unit)}`
  if (below !== null) return `below ${withUnit(below, unit)}`
  return `between ${between?.[0]} and ${withUnit(between?.[1] ?? 0, unit)}`
}

function withUnit(value: number, unit: string): string {
  const text = String(Math.round(value * 1000) / 1000)
  return unit === '' ? text : `${text} ${unit}`
}
