import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { McpInside } from '@flamegate/mcp-profiling'
import { readProfile } from '@flamegate/profiles'
import { z } from 'zod'
import {
  nothingInside,
  type InsideFound,
  type InsideOptions,
  type InsideProbe,
  type WantedInside,
} from '../inside.ts'
import { noticedGrowth } from '../noticed-growth.ts'
import { hotFunctionsIn } from '../profile-tables.ts'
import type { PythonProcess } from './python-processes.ts'

/** Of the stack of what is allocated: enough to see who asked for it. */
const stackFrames = 12
/** Of single garbage collections in a report. */
const longestEvents = 100
const eachEvent = 10_000

const ended = z.object({
  gc: z
    .object({
      durationMs: z.number(),
      events: z.array(z.object({ atMs: z.number(), durationMs: z.number(), kind: z.string() })),
    })
    .nullable(),
  growth: z.array(z.object({ name: z.string(), place: z.string(), bytes: z.number(), count: z.int() })),
})

/** What goes on in a process of Python during loads: cProfile, tracemalloc, and its garbage collections. */
export class PythonProbe implements InsideProbe {
  readonly #process: PythonProcess
  readonly #wanted: WantedInside
  readonly #options: InsideOptions
  readonly #leave: () => void
  #load = 0
  /** What of it this load is for. */
  #part: WantedInside
  #beganAtMs = 0
  #heap: McpInside['heap'] = []
  #timer: NodeJS.Timeout | undefined
  /** What is asked for at times comes one after the other. */
  #atTimes: Promise<unknown> = Promise.resolve()

  constructor(process: PythonProcess, wanted: WantedInside, options: InsideOptions, leave: () => void) {
    this.#process = process
    this.#wanted = wanted
    this.#part = wanted
    this.#options = options
    this.#leave = leave
  }

  async begin(part = this.#wanted): Promise<void> {
    this.#part = part
    const { cpu = false, collections = 'none', gc = false } = part
    this.#load++
    this.#heap = []
    // Memory is only counted while it is traced.
    const heap = this.#wantsMemory ? stackFrames : collections === 'none' ? 0 : 1
    await this.#process.ask('begin', { cpu, heap, gc: gc !== false })
    this.#beganAtMs = performance.now()
    if (collections !== 'none') await this.#collect()
    if (typeof collections === 'object') {
      this.#timer = setInterval(() => {
        this.#atTimes = this.#atTimes.then(() => this.#collect())
        // `end` hears of it.
        this.#atTimes.catch(() => undefined)
      }, collections.everyMs)
    }
  }

  async end(beganAtMs: number): Promise<InsideFound> {
    const { cpu = false, collections = 'none', snapshots = 'none', eventLoop } = this.#part
    clearInterval(this.#timer)
    await this.#atTimes
    if (collections !== 'none') await this.#collect()
    const cpuFile = cpu ? await this.#newFile('cpu.pstats') : null
    const heapFile = this.#wantsMemory ? await this.#newFile('memory.speedscope.json') : null
    const { gc, growth } = ended.parse(await this.#process.ask('end', { cpu: cpuFile, heap: heapFile }))
    const inside = nothingInside('python')
    const files: InsideFound['files'] = []
    const { pid, version } = this.#process
    const notes = [`The inside is that of process ${pid}, Python ${version}.`]
    if (cpuFile !== null) {
      inside.hotFunctions = hotFunctionsIn(readProfile(await readFile(cpuFile)))
      files.push({ kind: 'cpu', path: cpuFile })
      notes.push(
        'cProfile follows each call of a function, which makes the server slower, and latencies are with that. What waits for files, sockets, locks or the time is left out of its times, which else are by the clock: where threads compete, waiting for the interpreter’s lock is in them.',
      )
    }
    if (heapFile !== null) files.push({ kind: 'heap', path: heapFile })
    if (this.#heap.length > 0 || heapFile !== null) {
      notes.push(
        'Memory is what Python allocated since the load began, and still uses, by tracemalloc, which makes the server slower.',
      )
    }
    if (snapshots !== 'none') notes.push('Python has no heap snapshots.')
    if (eventLoop === true) notes.push('The delay of the event loop is seen of Node.js only.')
    inside.growth = noticedGrowth(growth)
    inside.gc = gc === null ? null : this.#collections(gc, beganAtMs)
    inside.heap = this.#heap.map((sample) => ({ ...sample, atMs: sample.atMs - beganAtMs }))
    return { inside, files, notes }
  }

  close(): Promise<void> {
    this.#leave()
    return Promise.resolve()
  }

  get #wantsMemory(): boolean {
    return this.#part.heap !== undefined && this.#part.heap !== false
  }

  async #collect(): Promise<void> {
    const heapUsedBytes = z.int().parse(await this.#process.ask('collect', {}))
    this.#heap.push({ atMs: performance.now(), heapUsedBytes, isAfterGc: true })
  }

  #collections(
    { durationMs, events }: NonNullable<z.output<typeof ended>['gc']>,
    loadBeganAtMs: number,
  ): NonNullable<McpInside['gc']> {
    const byKind: NonNullable<McpInside['gc']>['byKind'] = {}
    let [totalMs, maxMs] = [0, 0]
    for (const { kind, durationMs: tookMs } of events) {
      const own = (byKind[kind] ??= { count: 0, totalMs: 0 })
      own.count++
      own.totalMs += tookMs
      totalMs += tookMs
      maxMs = Math.max(maxMs, tookMs)
    }
    const kept = events
      .toSorted((a, b) => b.durationMs - a.durationMs)
      .slice(0, this.#part.gc === 'each' ? eachEvent : longestEvents)
      .toSorted((a, b) => a.atMs - b.atMs)
      .map((event) => ({ ...event, atMs: event.atMs + this.#beganAtMs - loadBeganAtMs }))
    return {
      count: events.length,
      totalMs,
      maxMs,
      share: totalMs / Math.max(1, durationMs),
      byKind,
      events: kept,
    }
  }

  /** Those of a second load beside those of the first. */
  async #newFile(name: string): Promise<string> {
    const { folder } = this.#options
    await mkdir(folder, { recursive: true })
    return path.join(folder, this.#load === 1 ? name : `load-${this.#load}-${name}`)
  }
}
