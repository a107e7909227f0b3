import type { ActionOf, Duration } from '../../model/action.ts'
import { type JmxElement, numberOf, textOf } from './jmx-element.ts'
import { appliedTo, type Scope } from './scope.ts'
import { commonOf, noteOf, type Work } from './work.ts'

const dayMs = 86_400_000

/** Waits before a sampler: each timer in scope, one after the other, as JMeter adds them up. */
export function readDelays(work: Work, scope: Scope): ActionOf<'delay'>[] {
  return appliedTo(work, scope, 'timer').flatMap((timer) => {
    const duration = timer.isEnabled ? readTimer(work, timer) : undefined
    if (duration === undefined) return []
    if (work.options.thinkTimes === 'none') {
      work.fates.dropped(timer, 'Think times were left out, as asked for.')
      return []
    }
    const delay = toDelay(work, timer, duration)
    work.fates.mapped(timer, delay.id)
    return [delay]
  })
}

export function toDelay(work: Work, element: JmxElement, duration: Duration): ActionOf<'delay'> {
  const cut = cutTo(duration, work.options.thinkTimeMaxMs)
  if (cut !== duration)
    work.fates.note(element, `It is cut to ${work.options.thinkTimeMaxMs} ms, as asked for.`)
  return { type: 'delay', ...commonOf(work, element), duration: cut, is_scaled: true }
}

/** How long a timer waits; undefined where it is none that waits for a time. */
export function readTimer(work: Work, timer: JmxElement): Duration | undefined {
  const note = noteOf(work, timer)
  const number = (name: string) => {
    const text = textOf(timer.properties, name)
    const value = numberOf(work.texts.resolve(text) ?? '')
    if (value === undefined && text !== '')
      note(`${text.slice(0, 100)} is no number that is known before the test runs.`)
    return Math.min(Math.max(value ?? 0, 0), dayMs)
  }
  const delay = () => number('ConstantTimer.delay')
  const range = () => number('RandomTimer.range')
  switch (timer.type) {
    case 'ConstantTimer': {
      const random = uniformOf(textOf(timer.properties, 'ConstantTimer.delay'))
      return random ?? { distribution: 'constant', ms: delay() }
    }
    case 'UniformRandomTimer':
      return { distribution: 'uniform', min_ms: delay(), max_ms: Math.min(delay() + range(), dayMs) }
    case 'GaussianRandomTimer':
      return { distribution: 'gaussian', mean_ms: delay(), deviation_ms: range() }
    case 'PoissonRandomTimer':
      note('A gaussian distribution stands for that of Poisson, with its mean and deviation.')
      return {
        distribution: 'gaussian',
        mean_ms: Math.min(delay() + range(), dayMs),
        deviation_ms: Math.round(Math.sqrt(range())),
      }
    default:
      return undefined
  }
}

/** `${__Random(1000,5000)}` in place of a number. */
function uniformOf(text: string): Duration | undefined {
  const found = /^\s*\$\{__Random\(\s*(\d{1,8})\s*,\s*(\d{1,8})\s*(?:,[^,(){}]*)?\)\}\s*$/.exec(text)
  if (found === null || Number(found[1]) > Number(found[2])) return undefined
  return { distribution: 'uniform', min_ms: Number(found[1]), max_ms: Number(found[2]) }
}

function cutTo(duration: Duration, maxMs: number): Duration {
  switch (duration.distribution) {
    case 'constant':
      return duration.ms <= maxMs ? duration : { ...duration, ms: maxMs }
    case 'uniform':
      return duration.max_ms <= maxMs
        ? duration
        : { ...duration, min_ms: Math.min(duration.min_ms, maxMs), max_ms: maxMs }
    default:
      return duration.mean_ms <= maxMs ? duration : { ...duration, mean_ms: maxMs }
  }
}

/** Milliseconds between two starts of an iteration that a throughput asks for; undefined where it asks for none. */
export function readInterval(work: Work, timer: JmxElement): number | undefined {
  const number = (name: string) => numberOf(work.texts.resolve(textOf(timer.properties, name)) ?? '')
  const throughput = number('throughput')
  const periodSeconds = timer.type === 'PreciseThroughputTimer' ? (number('throughputPeriod') ?? 3600) : 60
  if (throughput === undefined || throughput <= 0 || periodSeconds <= 0) return undefined
  // Throughputs that were written from an interval give it back as it was.
  return Math.min(Math.round((periodSeconds * 1000 * 1e6) / throughput) / 1e6, dayMs)
}

export function isThroughputTimer({ type }: JmxElement): boolean {
  return type === 'ConstantThroughputTimer' || type === 'PreciseThroughputTimer'
}

export function toPacing(work: Work, timer: JmxElement, ms: number): ActionOf<'pacing'> {
  return { type: 'pacing', ...commonOf(work, timer), interval: { distribution: 'constant', ms } }
}
