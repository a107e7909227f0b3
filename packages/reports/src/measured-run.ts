import {
  counterOf,
  requestMetrics,
  userCounterOf,
  type RequestBucket,
  type UserBucket,
} from '@flamegate/series'

/** What was measured of an action over the whole run. */
export interface MeasuredAction {
  /** With the containers that it is in. */
  name: string
  /** Its time is that of what it holds. */
  holdsOthers: boolean
  bucket: RequestBucket
}

/** A run, as far as it was measured: what insights are found in. */
export interface MeasuredRun {
  id: string
  name: string
  /** All requests, those too that came while it only drained; undefined: nothing was measured. */
  total: RequestBucket | undefined
  /** Of all requests under load, in buckets of one width, in order. */
  requests: readonly RequestBucket[]
  /** In the same buckets; none of what was imported without users. */
  users: readonly UserBucket[]
  actions: readonly MeasuredAction[]
  /** null: it was measured elsewhere, by who knows what. */
  generators: {
    /** For so many seconds some generator was at its limit. */
    limitedSeconds: number
    cpuShareMax: number
    sendLagMaxMs: number
  } | null
  /** Of agents that were lost, and whose load nobody took over. */
  lostLoads: readonly {
    agentGroup: string
    /** So many of the parts of its load are gone. */
    parts: number
    of: number
    /** Of these engines alone; none: of all. */
    engines: readonly string[]
    /** From this second of the run on; null: from its start. */
    second: number | null
  }[]
  thresholds: readonly {
    text: string
    state: 'passed' | 'breached' | 'no_data'
    /** In a unit that reports know; null: nothing. */
    measured: { value: number; unit: string } | null
  }[]
}

/** A bucket of a run as numbers. */
export interface Moment {
  second: number
  seconds: number
  count: number
  /** Users at once, or of open loads iterations that were due per second. */
  load: number
  ratePerSecond: number
  /** Median and 95th percentile of the response times; null: there were none. */
  p50Ms: number | null
  p95Ms: number | null
  errorShare: number
}

export type LoadUnit = 'users' | 'iterations per second' | 'requests per second'

/** What the load of a run is counted in. Of what was imported without users, it is what was done. */
export function loadUnitOf({ users }: Pick<MeasuredRun, 'users'>): LoadUnit {
  if (users.some((bucket) => userCounterOf(bucket, 'arrivals_due') > 0)) return 'iterations per second'
  return users.some(({ usersMax }) => usersMax > 0) ? 'users' : 'requests per second'
}

export function momentsOf(run: Pick<MeasuredRun, 'requests' | 'users'>): Moment[] {
  const unit = loadUnitOf(run)
  const usersAt = new Map(run.users.map((bucket) => [bucket.second, bucket]))
  return run.requests.map((bucket) => {
    const ratePerSecond = requestMetrics.rate(bucket)
    return {
      second: bucket.second,
      seconds: bucket.seconds,
      count: counterOf(bucket, 'count'),
      load: unit === 'requests per second' ? ratePerSecond : loadOf(usersAt.get(bucket.second), unit),
      ratePerSecond,
      p50Ms: inMs(requestMetrics.p50(bucket, 'response')),
      p95Ms: inMs(requestMetrics.p95(bucket, 'response')),
      errorShare: requestMetrics.error_share(bucket) ?? 0,
    }
  })
}

function loadOf(bucket: UserBucket | undefined, unit: 'users' | 'iterations per second'): number {
  if (bucket === undefined) return 0
  return unit === 'users' ? bucket.users : userCounterOf(bucket, 'arrivals_due') / bucket.seconds
}

function inMs(microseconds: number | null): number | null {
  return microseconds === null ? null : microseconds / 1000
}
