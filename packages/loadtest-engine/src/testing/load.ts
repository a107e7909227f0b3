import type { Tick } from '@flamegate/series'
import { actionCounters, errorClasses, generatorGauges, highestOf, profileCounters } from '@flamegate/series'
import type { ActionCounter, ErrorClass, GeneratorGauge, ProfileCounter } from '@flamegate/series'
import { loadActions, LoadGenerator } from '../load/load-generator.ts'
import type { LoadModel, LoadOutcome } from '../load/load-generator.ts'
import type { RequestLog } from '../load/request-log.ts'
import type { FailureSample } from '../load/samples.ts'
import { usualAccess } from '../http/access.ts'
import type { Access } from '../http/access.ts'
import { planOf } from './run.ts'
import type { RunOptions } from './run.ts'

export interface LoadOptions extends RunOptions {
  model?: LoadModel
  durationMs?: number
  drainMs?: number
  thinkTimeFactor?: number
  access?: Partial<Access>
  requestLog?: RequestLog
  /** Is given the generator before it runs. */
  with?: (generator: LoadGenerator) => void
}

/** A request of the server `srv`, whose id is its path. */
export function get(path: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'http_request', id: path, method: 'GET', server_id: 'srv', path, ...more }
}

/** So many users, each for so many iterations. */
export function users(
  count: number,
  iterationsMax: number | null = null,
): Extract<LoadModel, { type: 'closed' }> {
  return { type: 'closed', wantedUsers: () => count, usersMax: count, iterationsMax }
}

/** Sums over a whole load, by the id of the action. */
export class LoadSums {
  readonly ticks: Tick[] = []
  readonly samples: FailureSample[] = []
  outcome: LoadOutcome | undefined
  readonly #ids: readonly string[]

  constructor(ids: readonly string[]) {
    this.#ids = ids
  }

  counter(id: string, counter: ActionCounter): number {
    const place = actionCounters.indexOf(counter)
    return this.#of(id).reduce((sum, { counters }) => sum + (counters[place] ?? 0), 0)
  }

  /** Those that are not 0. */
  errors(id: string): Partial<Record<ErrorClass, number>> {
    return Object.fromEntries(
      errorClasses
        .map((name) => [name, this.counter(id, `error_${name}`)] as const)
        .filter(([, count]) => count > 0),
    )
  }

  profile(counter: ProfileCounter): number {
    const place = profileCounters.indexOf(counter)
    return this.ticks.reduce((sum, { profiles }) => sum + (profiles[0]?.[place] ?? 0), 0)
  }

  gauges(gauge: GeneratorGauge): number[] {
    const place = generatorGauges.indexOf(gauge)
    return this.ticks.map(({ generator }) => generator[place] ?? 0)
  }

  /** How many there are in a histogram. */
  recorded(id: string, time: 'serviceTime' | 'responseTime'): number {
    return this.#of(id).reduce(
      (sum, tick) => sum + Array.from(tick[time].counts).reduce((all, count) => all + count, 0),
      0,
    )
  }

  /** The value, in milliseconds, that a share of them does not exceed. */
  percentile(id: string, time: 'serviceTime' | 'responseTime', share: number): number {
    const counts = new Map<number, number>()
    for (const tick of this.#of(id))
      for (const [place, slot] of tick[time].slots.entries())
        counts.set(slot, (counts.get(slot) ?? 0) + (tick[time].counts[place] ?? 0))
    let left = Math.ceil(this.recorded(id, time) * share)
    for (const slot of [...counts.keys()].toSorted((one, other) => one - other)) {
      left -= counts.get(slot) ?? 0
      if (left <= 0) return highestOf(slot) / 1000
    }
    return NaN
  }

  #of(id: string) {
    const place = this.#ids.indexOf(id)
    if (place === -1) throw new Error(`No action has the id ${id}.`)
    return this.ticks.flatMap(({ actions }) => actions.filter(({ action }) => action === place))
  }
}

/** Runs actions under load, in this thread. */
export async function load(
  actions: readonly Record<string, unknown>[],
  options: LoadOptions = {},
): Promise<LoadSums> {
  const plan = planOf(actions, options)
  const sums = new LoadSums(loadActions(plan).map(({ id }) => id))
  const { document, servers, variables, secrets, seed, gate, openFile, signal } = plan
  const generator = new LoadGenerator(
    {
      profiles: [
        {
          document,
          servers,
          variables,
          secrets,
          seed,
          thinkTimeFactor: options.thinkTimeFactor ?? 1,
          access: { ...usualAccess, ...options.access },
          model: options.model ?? users(1, 1),
          firstAction: 0,
        },
      ],
      gate,
      openFile,
      signal,
      startAt: Date.now(),
      durationMs: options.durationMs ?? 30_000,
      drainMs: options.drainMs ?? 5000,
    },
    {
      onTick: (tick) => sums.ticks.push(tick),
      onSample: (sample) => sums.samples.push(sample),
      requestLog: options.requestLog,
    },
  )
  options.with?.(generator)
  sums.outcome = await generator.run()
  return sums
}
