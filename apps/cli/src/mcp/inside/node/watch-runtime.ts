import type * as perfHooks from 'node:perf_hooks'
import { z } from 'zod'

/** What is watched from within a process of Node.js. */
export interface RuntimeWatchOptions {
  gc: boolean
  eventLoop: boolean
  /** Single garbage collections are kept up to this number, the longest of them. */
  eventsMax: number
}

/** Of a process of Node.js, by its own clock. */
export const runtimeWatched = z.object({
  /** Without what a profiler did in between. */
  watchedMs: z.number(),
  gc: z.object({
    byKind: z.record(z.string(), z.object({ count: z.int(), totalMs: z.number() })),
    maxMs: z.number(),
    events: z.array(z.object({ atMs: z.number(), durationMs: z.number(), kind: z.string() })),
  }),
  eventLoopDelay: z.object({ meanMs: z.number(), p99Ms: z.number(), maxMs: z.number() }).nullable(),
  measures: z.array(z.object({ name: z.string(), count: z.int(), totalMs: z.number(), maxMs: z.number() })),
})

/**
 * The script that begins to watch. What it gives holds all there is of it, and has the methods `now`, `pause` and `goOn`, between
 * which a profiler does what says nothing about the program, and `end`.
 */
export function runtimeWatchScript(options: RuntimeWatchOptions): string {
  return `(${watchRuntime.toString()})(require, ${JSON.stringify(options)})`
}

/**
 * Runs in the process that is watched, from its text: nothing that is outside of it is there.
 */
function watchRuntime(
  from: (name: 'node:perf_hooks') => typeof perfHooks,
  { gc, eventLoop, eventsMax }: RuntimeWatchOptions,
) {
  const { PerformanceObserver, constants, createHistogram, performance } = from('node:perf_hooks')
  const tickMs = 10
  const namesMax = 100
  const kinds = new Map([
    [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
    [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
    [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
    [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak_callbacks'],
  ])
  const byKind: Record<string, { count: number; totalMs: number }> = {}
  const pauses: { fromMs: number; toMs: number }[] = []
  let maxMs = 0
  let events: { atMs: number; durationMs: number; kind: string }[] = []
  const measures = new Map<string, { name: string; count: number; totalMs: number; maxMs: number }>()

  function collected({
    startTime,
    duration,
    detail,
  }: perfHooks.PerformanceEntry & { detail?: unknown }): void {
    const { kind } = Object(detail)
    if (pauses.some(({ fromMs, toMs }) => startTime >= fromMs && startTime <= toMs)) return
    const name = kinds.get(kind) ?? 'other'
    const found = (byKind[name] ??= { count: 0, totalMs: 0 })
    found.count++
    found.totalMs += duration
    maxMs = Math.max(maxMs, duration)
    events.push({ atMs: startTime, durationMs: duration, kind: name })
    if (events.length >= 2 * eventsMax + 1000) events = longest()
  }
  function measured({ name, duration }: perfHooks.PerformanceEntry): void {
    let found = measures.get(name)
    if (found === undefined) {
      if (measures.size >= namesMax) return
      found = { name, count: 0, totalMs: 0, maxMs: 0 }
      measures.set(name, found)
    }
    found.count++
    found.totalMs += duration
    found.maxMs = Math.max(found.maxMs, duration)
  }
  function longest() {
    // oxlint-disable-next-line no-array-sort -- the process may be of an old Node.js, without toSorted
    return events.sort((a, b) => b.durationMs - a.durationMs).slice(0, eventsMax)
  }
  function read(entries: readonly perfHooks.PerformanceEntry[]): void {
    for (const entry of entries) {
      if (entry.entryType === 'gc') collected(entry)
      else measured(entry)
    }
  }

  const observer = new PerformanceObserver((list) => read(list.getEntries()))
  observer.observe({ entryTypes: gc ? ['gc', 'mark', 'measure'] : ['mark', 'measure'] })
  // `monitorEventLoopDelay` cannot go on after a pause without having that in it.
  const delays = createHistogram()
  let timer: NodeJS.Timeout | undefined
  function tick(): void {
    if (!eventLoop) return
    let dueMs = performance.now() + tickMs
    timer = setInterval(() => {
      const nowMs = performance.now()
      delays.record(Math.max(1, Math.round(1e6 * (nowMs - dueMs))))
      dueMs = nowMs + tickMs
    }, tickMs).unref()
  }
  tick()
  const beganAtMs = performance.now()
  return {
    now: () => performance.now(),
    pause() {
      clearInterval(timer)
      pauses.push({ fromMs: performance.now(), toMs: Infinity })
    },
    goOn() {
      const last = pauses.at(-1)
      if (last !== undefined) last.toMs = performance.now()
      tick()
    },
    async end() {
      const endedAtMs = performance.now()
      clearInterval(timer)
      // The last entries come to the observer a turn of the event loop later.
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
      read(observer.takeRecords())
      observer.disconnect()
      return {
        watchedMs: pauses.reduce((left, { fromMs, toMs }) => left - (toMs - fromMs), endedAtMs - beganAtMs),
        // oxlint-disable-next-line no-array-sort -- the same
        gc: { byKind, maxMs, events: longest().sort((a, b) => a.atMs - b.atMs) },
        eventLoopDelay:
          delays.count === 0
            ? null
            : { meanMs: delays.mean / 1e6, p99Ms: delays.percentile(99) / 1e6, maxMs: delays.max / 1e6 },
        measures: [...measures.values()],
      }
    },
  }
}
