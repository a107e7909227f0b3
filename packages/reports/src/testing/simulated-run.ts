import {
  actionCounters,
  profileCounters,
  slotOf,
  totalOf,
  type ActionCounter,
  type Histogram,
  type ProfileCounter,
  type RequestBucket,
  type UserBucket,
} from '@flamegate/series'
import type { MeasuredRun } from '../measured-run.ts'

/** Numbers from 0 to 1, the same for a seed each time (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A number of the standard normal distribution (Box and Muller). */
export function normalOf(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

export function histogramOf(timesMs: readonly number[]): Histogram {
  const counts = new Map<number, number>()
  for (const ms of timesMs) {
    const slot = slotOf(Math.max(0, Math.round(ms * 1000)))
    counts.set(slot, (counts.get(slot) ?? 0) + 1)
  }
  const sorted = [...counts].toSorted(([a], [b]) => a - b)
  return {
    slots: Uint16Array.from(sorted, ([slot]) => slot),
    counts: Float64Array.from(sorted, ([, count]) => count),
  }
}

/** Requests of a bucket that took so long; counters besides. */
export function requestsOf(
  second: number,
  timesMs: readonly number[],
  counters: Partial<Record<ActionCounter, number>> = {},
  seconds = 1,
): RequestBucket {
  const times = histogramOf(timesMs)
  const all: Partial<Record<ActionCounter, number>> = { count: timesMs.length, ...counters }
  return {
    second,
    seconds,
    counters: Float64Array.from(actionCounters, (name) => all[name] ?? 0),
    serviceTime: times,
    responseTime: times,
  }
}

export function usersOf(
  second: number,
  users: number,
  counters: Partial<Record<ProfileCounter, number>> = {},
  seconds = 1,
): UserBucket {
  const all: Partial<Record<ProfileCounter, number>> = { users, ...counters }
  return {
    second,
    seconds,
    users,
    usersMax: users,
    counters: Float64Array.from(profileCounters, (name) => all[name] ?? 0),
  }
}

/** A run in which nothing is wrong. */
export function runOf(rest: Partial<MeasuredRun>): MeasuredRun {
  return {
    id: 'bnr_1',
    name: 'Run',
    total: totalOf(rest.requests ?? []),
    requests: [],
    users: [],
    actions: [],
    generators: { limitedSeconds: 0, cpuShareMax: 0.2, sendLagMaxMs: 3 },
    lostLoads: [],
    thresholds: [],
    ...rest,
  }
}

/**
 * Response times of seconds of a run. Neighbouring seconds are alike: their level goes up and down by an autoregressive
 * process, as that of a real system does.
 */
export function unevenRun(
  seed: number,
  {
    seconds = 120,
    perSecond = 40,
    middleMs = 20,
    factorAt = () => 1,
  }: {
    seconds?: number
    perSecond?: number
    middleMs?: number
    factorAt?: (second: number) => number
  } = {},
): number[][] {
  const random = randomOf(seed)
  let level = 0
  return Array.from({ length: seconds }, (_, second) => {
    level = 0.7 * level + 0.05 * normalOf(random)
    return Array.from(
      { length: perSecond },
      () => middleMs * factorAt(second) * Math.exp(level + 0.4 * normalOf(random)),
    )
  })
}

/** Seconds as blocks of several. */
export function inBlocks(seconds: readonly number[][], size: number): RequestBucket[] {
  return Array.from({ length: Math.ceil(seconds.length / size) }, (_, index) => {
    const members = seconds.slice(index * size, (index + 1) * size)
    return requestsOf(index * size, members.flat(), {}, members.length)
  })
}
