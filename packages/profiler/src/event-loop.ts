import type { LiveItem } from '@flamegate/live'
import { PerformanceObserver, constants, performance } from 'node:perf_hooks'
import type { EventLoopUtilization, PerformanceEntry } from 'node:perf_hooks'
import { nsPerMs } from './clock.ts'
import type { Clock } from './clock.ts'
import { Distribution } from './distribution.ts'

const tickMs = 20

const gcKinds = new Map<number, string>([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'gc_minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'gc_major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'gc_incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'gc_weak_callbacks'],
])

/** How late the event loop of this thread is, how busy, and how long garbage collection stops it. */
export class EventLoopMeter {
  readonly #name: string
  readonly #now: Clock
  readonly #delay = new Distribution()
  readonly #pause = new Distribution()
  readonly #collections = new Map<string, number>()
  readonly #observer: PerformanceObserver
  readonly #timer: NodeJS.Timeout
  #last: EventLoopUtilization = performance.eventLoopUtilization()
  #due: number

  constructor(name: string, now: Clock) {
    this.#name = name
    this.#now = now
    this.#due = now() + tickMs
    // `monitorEventLoopDelay` keeps percentiles only, which say nothing about a window of time.
    this.#timer = setInterval(() => this.#tick(), tickMs).unref()
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.#collected(entry)
    })
    this.#observer.observe({ entryTypes: ['gc'] })
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#observer.disconnect()
  }

  read(): LiveItem {
    const total = performance.eventLoopUtilization()
    const since = performance.eventLoopUtilization(total, this.#last)
    this.#last = total
    return {
      id: this.#name,
      name: this.#name,
      counters: {
        active_ns: Math.round(total.active * nsPerMs),
        idle_ns: Math.round(total.idle * nsPerMs),
        ...Object.fromEntries(this.#collections),
      },
      levels: { utilization_percent: percent(since.utilization) },
      distributions: { delay: this.#delay.read(), gc_pause: this.#pause.read() },
    }
  }

  #tick(): void {
    const at = this.#now()
    this.#delay.add(Math.max(0, at - this.#due) * nsPerMs)
    this.#due = at + tickMs
  }

  #collected(entry: PerformanceEntry): void {
    this.#pause.add(entry.duration * nsPerMs)
    const { kind }: { kind?: number } = Reflect.get(entry, 'detail') ?? {}
    const name = gcKinds.get(kind ?? 0) ?? 'gc_other'
    this.#collections.set(name, (this.#collections.get(name) ?? 0) + 1)
  }
}

/** In percent with two decimals. */
export function percent(share: number): number {
  return Math.round(share * 10_000) / 100
}
