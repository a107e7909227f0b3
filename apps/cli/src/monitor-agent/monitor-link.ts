import { ApiProblem, ApiUnreachable, type Client } from '@flamegate/client'
import type { RawInputOf } from '@flamegate/contract'
import { reportMonitor } from '@flamegate/contract/monitors/report-monitor'
import type { Kept } from '@flamegate/monitors'
import type { PlatformClock } from './platform-clock.ts'

type Batch = NonNullable<NonNullable<RawInputOf<typeof reportMonitor>['run']>['batches']>[number]

const batchesAtOnce = 20
const secondsPerBatch = 60
/** An hour of what could not be told. */
const batchesMax = 720

/** How what is monitored was found, the last time that it was read. */
export interface Sighting {
  isReachable: boolean
  message: string
}

/** What an agent tells of a monitor in a run: everything once, in order, and again until the platform has it. */
export class MonitorLink {
  readonly #client: Client
  readonly #clock: PlatformClock
  readonly #place: { monitorId: string; agent: string; benchResultId: string; lease: number }
  #sequence: number
  #values: { second: number; kept: readonly Kept[] }[] = []
  #batches: Batch[] = []

  constructor(
    client: Client,
    clock: PlatformClock,
    place: { monitorId: string; agent: string; benchResultId: string; lease: number; nextSequence: number },
  ) {
    this.#client = client
    this.#clock = clock
    this.#place = place
    this.#sequence = place.nextSequence
  }

  /** @param second of the run; later than all before */
  add(second: number, kept: readonly Kept[]): void {
    this.#values.push({ second, kept })
  }

  /** @returns whether it is to be collected further: also when there was no answer, and what was to be told is told the next time */
  async report({ isReachable, message }: Sighting): Promise<boolean> {
    this.#pack()
    const batches = this.#batches.slice(0, batchesAtOnce)
    const { monitorId, agent, benchResultId, lease } = this.#place
    const askedAt = Date.now()
    try {
      const { order, now } = await this.#client.call(reportMonitor, {
        monitor_id: monitorId,
        agent,
        is_reachable: isReachable,
        message,
        run: { bench_result_id: benchResultId, lease, batches },
      })
      this.#clock.note(askedAt, now)
      this.#batches = this.#batches.slice(batches.length)
      return order === 'go_on'
    } catch (error) {
      if (error instanceof ApiUnreachable) return true
      if (!(error instanceof ApiProblem)) throw error
      if (error.code === 'monitor_not_found') return false
      if (error.status === 429 || error.status >= 500) return true
      throw error
    }
  }

  #pack(): void {
    while (this.#values.length > 0) {
      const values = this.#values.splice(0, secondsPerBatch)
      const units = new Map(values.flatMap(({ kept }) => kept.map(({ name, unit }) => [name, unit] as const)))
      const bySecond = values.map(({ kept }) => new Map(kept.map(({ name, value }) => [name, value])))
      this.#batches.push({
        sequence: this.#sequence++,
        seconds: values.map(({ second }) => second),
        counters: [...units].map(([name, unit]) => ({
          name: name.slice(0, 500),
          unit: unit.slice(0, 40),
          values: bySecond.map((each) => each.get(name) ?? null),
        })),
      })
    }
    this.#batches = this.#batches.slice(-batchesMax)
  }
}
