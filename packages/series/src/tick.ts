/** Why an action failed: what went wrong first. */
export const errorClasses = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'refused_target',
  'protocol',
  'status_4xx',
  'status_5xx',
  'assertion',
  'extractor',
  'other',
] as const
export type ErrorClass = (typeof errorClasses)[number]

/**
 * What is counted of an action: sums over a second. `count` is of those that ended in it, whether they failed or not.
 * The five phases are sums of microseconds over them.
 */
export const actionCounters = [
  'count',
  ...errorClasses.map((name) => `error_${name}` as const),
  'status_1xx',
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'sent_bytes',
  'received_bytes',
  'connections_opened',
  'dns_us',
  'connect_us',
  'tls_us',
  'wait_us',
  'download_us',
] as const
export type ActionCounter = (typeof actionCounters)[number]

/** What is counted of a user profile: users that run at the end of the second (`users`), and sums over it. */
export const profileCounters = [
  'users',
  'users_started',
  'users_ended',
  'iterations',
  'iterations_failed',
  /** Open model: arrivals that were due, and that began later than a millisecond after that. */
  'arrivals_due',
  'arrivals_late',
] as const
export type ProfileCounter = (typeof profileCounters)[number]

/**
 * What a generator tells of itself, for one second: shares of 1,000 (of one core), the longest it was held up and the latest that
 * it sent something, in microseconds, and the bytes that it holds.
 */
export const generatorGauges = [
  'cpu_permille',
  'event_loop_delay_max_us',
  'send_lag_max_us',
  'rss_bytes',
  'connections',
] as const
export type GeneratorGauge = (typeof generatorGauges)[number]

/**
 * One second of one action of one user profile, as one generator saw it. Histograms are counts of slots (`slotOf`), and hold
 * those that got to their end, failed ones with an answer among them.
 */
export interface ActionTick {
  profile: number
  /** Place of the action in the list of the run's actions. */
  action: number
  /** In the order of `actionCounters`. */
  counters: Float64Array
  /** From sending to the last byte, in microseconds. */
  serviceTime: Histogram
  /** From when it should have been sent, in microseconds: the same as the service time but where the generator or an earlier iteration was late. */
  responseTime: Histogram
}

/** Slots that counted something, rising, and their counts. */
export interface Histogram {
  slots: Uint16Array
  /** Of merged ones more than 32 bits can count. */
  counts: Uint32Array | Float64Array
}

/** All that a generator saw in one second of a run. */
export interface Tick {
  /** Seconds since the run began. */
  second: number
  actions: readonly ActionTick[]
  /** In the order of `profileCounters`, by profile. */
  profiles: readonly Float64Array[]
  /** In the order of `generatorGauges`. */
  generator: Float64Array
}
