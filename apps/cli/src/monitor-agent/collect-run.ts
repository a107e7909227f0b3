import { countersMax, parseDocument, type Monitor } from '@flamegate/loadtest'
import { Choice, openCollector, Rates, type Collector, type Kept } from '@flamegate/monitors'
import { untilOver } from '../capture/until-over.ts'
import { wordsOf, type MonitorAgentContext, type MonitorLease } from './monitor-agent-context.ts'
import { MonitorLink, type Sighting } from './monitor-link.ts'
import type { PlatformClock } from './platform-clock.ts'

/** Also when nothing was read meanwhile: an agent that says nothing for longer is replaced. */
const reportEverySeconds = 5

/** Collects a monitor while a run goes on, at the seconds of the run that its interval says. */
export async function collectRun(
  context: MonitorAgentContext,
  clock: PlatformClock,
  { monitor_id: monitorId, document, secret, run }: MonitorLease & { run: object },
): Promise<void> {
  const { client, name, interruption, log } = context
  const monitor = parseDocument('monitor', document)
  const link = new MonitorLink(client, clock, {
    monitorId,
    agent: name,
    benchResultId: run.bench_result_id,
    lease: run.lease,
    nextSequence: run.next_sequence,
  })
  const source = new Source(monitor, secret)
  const ending = new AbortController()
  const end = AbortSignal.any([interruption, ending.signal])
  log(`${monitorId}: collects for ${run.bench_result_id}`)
  const collecting = collect(() => clock.onOurs(run.started_at))
  try {
    // oxlint-disable-next-line no-await-in-loop -- one report after the other
    while (await link.report(source.sighting)) {
      if (end.aborted) break
      // oxlint-disable-next-line no-await-in-loop -- see above
      await untilOver(reportEverySeconds, end)
    }
  } finally {
    ending.abort()
    await collecting
    await source.close()
  }
  log(`${monitorId}: done with ${run.bench_result_id}`)

  async function collect(startedAt: () => number): Promise<void> {
    // Before the run, so that there are rates at its first second.
    await source.read()
    const intervalMs = monitor.interval_seconds * 1000
    const elapsedMs = () => Date.now() - startedAt()
    for (let next = Math.max(0, Math.ceil(elapsedMs() / intervalMs)); !end.aborted;) {
      // oxlint-disable-next-line no-await-in-loop -- one second after the other
      await untilOver(Math.max(0, next * intervalMs - elapsedMs()) / 1000, end)
      if (end.aborted) break
      // oxlint-disable-next-line no-await-in-loop -- see above
      const kept = await source.read()
      if (kept !== undefined) link.add(next * monitor.interval_seconds, kept)
      // What took longer than the interval is followed by the next second that is still to come.
      next = Math.max(next + 1, Math.ceil(elapsedMs() / intervalMs))
    }
  }
}

/** What is monitored, connected to anew after it could not be read. */
class Source {
  readonly #monitor: Monitor
  readonly #secret: string | null
  readonly #choice: Choice
  readonly #rates = new Rates()
  #collector: Collector | undefined
  sighting: Sighting = { isReachable: true, message: 'It is being read for the first time.' }

  constructor(monitor: Monitor, secret: string | null) {
    this.#monitor = monitor
    this.#secret = secret
    this.#choice = new Choice(monitor.counters)
  }

  /** @returns undefined when it could not be read */
  async read(): Promise<Kept[] | undefined> {
    try {
      this.#collector ??= await openCollector(this.#monitor, this.#secret)
      const readings = this.#choice.of(await this.#collector.read())
      const kept = this.#rates.of(readings, performance.now())
      this.sighting = {
        isReachable: true,
        message: `${readings.length} counters are kept${this.#choice.isFull ? `: the first ${countersMax} of more that fit` : ''}.`,
      }
      return kept
    } catch (error) {
      this.sighting = { isReachable: false, message: wordsOf(error) }
      await this.close()
      return undefined
    }
  }

  async close(): Promise<void> {
    const collector = this.#collector
    this.#collector = undefined
    await collector?.close().catch(() => undefined)
  }
}
