export interface CapacityOptions {
  /** The latency that has to be kept at `percentile`. */
  latencyMsMax: number
  /** 95 when left out. */
  percentile?: number
  /** Of all calls, 0 to 1; 0.01 when left out. */
  errorRateMax?: number
  /** The rate that is needed: capacity is told against it, and it is always tried. Null when there is none. */
  targetRps: number | null
  /** Where to begin; 10 when left out. */
  startRps?: number
  /** No more than this is tried; 10,000 when left out. */
  rpsMax?: number
  /** How near the answer is to the truth, as a share of it; 0.05 when left out. */
  precision?: number
}

/** What to measure next: an open model at this rate. */
export interface CapacityTrial {
  rps: number
  purpose: 'step_up' | 'bisect' | 'confirm' | 'target'
}

/** What was measured at the rate that was asked for. */
export interface CapacityMeasurement {
  /** Answers per second. */
  requestsPerSecond: number
  /** At the percentile asked; null when no call was answered. */
  latencyMs: number | null
  errorRate: number
  /** Of the tree of processes; null where it is not known. */
  cpuPercent: number | null
  /** Why what measured was itself too slow; null when it was not. */
  generatorLimited: string | null
}

export type CapacityBreak = 'latency' | 'errors' | 'throughput' | 'no_answer'

export interface CapacityResult {
  /**
   * found; at_least: the highest rate allowed is met; at_most: not even the lowest is met; generator_limited: what measured
   * was too slow before the server was.
   */
  outcome: 'found' | 'at_least' | 'at_most' | 'generator_limited'
  /** The highest rate that met the target and was confirmed; null when none did. */
  capacityRps: number | null
  /** The lowest rate above it that did not; null when none was seen. */
  brokenRps: number | null
  /** What was not met there. */
  brokeFirst: CapacityBreak | null
  /** In numbers: what was measured there. */
  brokeBecause: string | null
  /** Capacity less the target, as a share of the target: 0.2 is a fifth more than is needed. Null without both. */
  headroom: number | null
  /** The rate that was needed; null when none was named. */
  targetRps: number | null
  trials: (CapacityTrial & CapacityMeasurement & { isMet: boolean })[]
  /** How it was searched, in words. */
  method: string
}

/** From step to step upwards. */
const STEP_FACTOR = 1.6
/** With less than this share of the calls answered in time, the rate is not kept. */
const RATE_SHARE_MIN = 0.95
/** A rate counts as met when so many measurements of it, of at most three, met the target; as missed likewise. */
const CONFIRMED_BY = 2

type Trial = CapacityResult['trials'][number]

/**
 * The highest rate at which a server keeps to a latency: up in steps of 1.6 until the target is missed, then between the
 * highest rate that was met and the lowest that was missed, halving the ratio until they are as near as `precision`. Noise can
 * make one measurement wrong either way, and a bisection never comes back; so a rate that decides where to go on (missed
 * on the way up, the last that was met, any between) is measured until two of at most three agree. Where the last that was
 * met is not confirmed, the one before it is taken. Use:
 * `let step = search.next(); while (!step.done) step = search.next(await measure(step.value))`.
 */
export function* capacitySearch(
  options: CapacityOptions,
): Generator<CapacityTrial, CapacityResult, CapacityMeasurement> {
  const { targetRps, startRps = 10, rpsMax = 10_000, precision = 0.05 } = options
  const trials: Trial[] = []
  const measure = function* (trial: CapacityTrial): Generator<CapacityTrial, Trial, CapacityMeasurement> {
    const measured = yield trial
    const done = { ...trial, ...measured, isMet: whyMissed(trial.rps, measured, options) === null }
    trials.push(done)
    return done
  }
  /** Measures until two agree; those of before count. */
  const decide = function* (
    rps: number,
    purpose: CapacityTrial['purpose'],
  ): Generator<CapacityTrial, boolean, CapacityMeasurement> {
    for (;;) {
      const own = trials.filter((trial) => trial.rps === rps)
      const met = own.filter(({ isMet }) => isMet).length
      if (met >= CONFIRMED_BY) return true
      if (own.length - met >= CONFIRMED_BY) return false
      if (own.some(({ generatorLimited }) => generatorLimited !== null)) return false
      yield* measure({ rps, purpose: own.length === 0 ? purpose : 'confirm' })
    }
  }

  let [low, high]: [number | null, number | null] = [null, null]
  for (let rps = Math.min(startRps, rpsMax); high === null; rps = nextUp(rps, { targetRps, rpsMax })) {
    // Up to here a rate that was met once is enough: the answer is confirmed at the end.
    const first = yield* measure({ rps, purpose: rps === targetRps ? 'target' : 'step_up' })
    const isMet = first.isMet || (yield* decide(rps, 'step_up'))
    if (isMet) low = rps
    else high = rps
    if (rps >= rpsMax || trials.at(-1)?.generatorLimited) break
  }
  const isLimited = () => trials.some(({ generatorLimited }) => generatorLimited !== null)
  while (low !== null && !isLimited() && !(yield* decide(low, 'confirm'))) {
    // It was met by chance on the way up.
    high = low
    low = highestMet(trials, high)
  }
  while (low !== null && high !== null && high / low > 1 + precision && !isLimited()) {
    const middle = rounded(Math.sqrt(low * high))
    if (middle <= low || middle >= high) break
    if (yield* decide(middle, 'bisect')) low = middle
    else high = middle
  }
  if (isLimited()) {
    low = highestMet(trials, Infinity)
    high = null
  }
  return resultOf({ low, high, trials, isLimited: isLimited() }, options)
}

/** What a measurement missed, and in which numbers; null when it met everything. */
function whyMissed(
  rps: number,
  { requestsPerSecond, latencyMs, errorRate, generatorLimited }: CapacityMeasurement,
  { latencyMsMax, percentile = 95, errorRateMax = 0.01 }: CapacityOptions,
): { what: CapacityBreak; because: string } | null {
  if (latencyMs === null) return { what: 'no_answer', because: 'no call was answered' }
  if (errorRate > errorRateMax)
    return {
      what: 'errors',
      because: `${percent(errorRate)} of the calls failed, ${percent(errorRateMax)} may`,
    }
  if (latencyMs > latencyMsMax)
    return {
      what: 'latency',
      because: `p${percentile} was ${number(latencyMs)} ms, ${number(latencyMsMax)} ms is allowed`,
    }
  if (requestsPerSecond < RATE_SHARE_MIN * rps || generatorLimited !== null)
    return {
      what: 'throughput',
      because: `${number(requestsPerSecond)} of ${number(rps)} calls per second were answered`,
    }
  return null
}

function nextUp(rps: number, { targetRps, rpsMax }: { targetRps: number | null; rpsMax: number }): number {
  const next = Math.min(rpsMax, rounded(rps * STEP_FACTOR))
  return targetRps !== null && rps < targetRps && next > targetRps ? targetRps : next
}

/** Of those that were met as often as they were missed or more. */
function highestMet(trials: readonly Trial[], below: number): number | null {
  const met = [...Map.groupBy(trials, ({ rps }) => rps)].flatMap(([rps, own]) =>
    rps < below && 2 * own.filter(({ isMet }) => isMet).length >= own.length ? [rps] : [],
  )
  return met.length === 0 ? null : Math.max(...met)
}

function resultOf(
  {
    low,
    high,
    trials,
    isLimited,
  }: { low: number | null; high: number | null; trials: Trial[]; isLimited: boolean },
  options: CapacityOptions,
): CapacityResult {
  const { targetRps, latencyMsMax, percentile = 95, errorRateMax = 0.01, precision = 0.05 } = options
  const broken = trials.find(({ rps, isMet }) => rps === high && !isMet)
  const why = broken ? whyMissed(broken.rps, broken, options) : null
  return {
    outcome: isLimited
      ? 'generator_limited'
      : low === null
        ? 'at_most'
        : high === null
          ? 'at_least'
          : 'found',
    capacityRps: low,
    brokenRps: high,
    brokeFirst: why?.what ?? null,
    brokeBecause: why?.because ?? null,
    headroom: targetRps === null || low === null ? null : low / targetRps - 1,
    targetRps,
    trials,
    method: `up in steps of ×${STEP_FACTOR}, then bisected to ${percent(precision)}, deciding rates measured until ${CONFIRMED_BY} of at most 3 agree; met when p${percentile} ≤ ${number(latencyMsMax)} ms, at most ${percent(errorRateMax)} failed, and ${percent(RATE_SHARE_MIN)} of the rate was answered`,
  }
}

/** Rates of three digits: nobody needs 1,638.4 calls per second. */
function rounded(rps: number): number {
  return Number(rps.toPrecision(3))
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4 })
}

function percent(share: number): string {
  return `${number(100 * share)} %`
}
