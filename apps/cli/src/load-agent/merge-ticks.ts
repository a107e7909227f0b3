import {
  generatorGauges,
  mergeHistograms,
  type ActionTick,
  type GeneratorGauge,
  type Tick,
} from '@flamegate/series'

/** Puts the seconds of threads together: each when all threads have told it, or have ended. */
export class TickMerger {
  /** Of each thread, how many seconds it has told. */
  readonly #told: number[]
  readonly #waiting = new Map<number, Tick[]>()
  #next = 0

  constructor(threads: number) {
    this.#told = Array.from({ length: threads }, () => 0)
  }

  add(thread: number, tick: Tick): Tick[] {
    this.#told[thread] = tick.second + 1
    const ticks = this.#waiting.get(tick.second)
    if (ticks === undefined) this.#waiting.set(tick.second, [tick])
    else ticks.push(tick)
    return this.#whole()
  }

  /** A thread tells no more. */
  end(thread: number): Tick[] {
    this.#told[thread] = Infinity
    return this.#whole()
  }

  #whole(): Tick[] {
    const whole: Tick[] = []
    for (const until = Math.min(...this.#told); this.#next < until; this.#next++) {
      const ticks = this.#waiting.get(this.#next)
      if (ticks === undefined) break
      this.#waiting.delete(this.#next)
      whole.push(mergeTicks(ticks))
    }
    return whole
  }
}

/** The same second of several generators of one process, one at least. */
export function mergeTicks(ticks: readonly Tick[]): Tick {
  const [first, ...others] = ticks
  if (first === undefined) throw new RangeError('There is nothing to merge')
  if (others.length === 0) return first
  return {
    second: first.second,
    actions: mergeActions(ticks.flatMap(({ actions }) => actions)),
    profiles: first.profiles.map((_, profile) => sumOf(ticks.map(({ profiles }) => profiles[profile]))),
    generator: Float64Array.from(generatorGauges, (gauge, place) =>
      combined[gauge](ticks.map(({ generator }) => generator[place] ?? 0)),
    ),
  }
}

/** What is told of the same action more than once, as one. */
export function mergeActions(actions: readonly ActionTick[]): ActionTick[] {
  const byAction = Map.groupBy(actions, ({ profile, action }) => `${profile} ${action}`)
  return Array.from(byAction.values(), (same) => {
    const [first] = same
    if (first === undefined || same.length === 1) return same
    return [
      {
        ...first,
        counters: sumOf(same.map(({ counters }) => counters)),
        serviceTime: mergeHistograms(same.map(({ serviceTime }) => serviceTime)),
        responseTime: mergeHistograms(same.map(({ responseTime }) => responseTime)),
      },
    ]
  })
    .flat()
    .toSorted((one, other) => one.profile - other.profile || one.action - other.action)
}

const largest = (values: readonly number[]) => Math.max(...values)
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** A thread that is held up measures itself, however idle the others are; memory is that of all of them already. */
const combined: Record<GeneratorGauge, (values: readonly number[]) => number> = {
  cpu_permille: largest,
  event_loop_delay_max_us: largest,
  send_lag_max_us: largest,
  rss_bytes: largest,
  connections: total,
}

function sumOf(all: readonly (Float64Array | undefined)[]): Float64Array {
  const sum = new Float64Array(all[0]?.length ?? 0)
  for (const each of all)
    for (const [place, value] of (each ?? sum.subarray(0, 0)).entries()) sum[place]! += value
  return sum
}
