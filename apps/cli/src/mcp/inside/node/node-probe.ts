import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import type { McpInside } from '@flamegate/mcp-profiling'
import { FormatError, readProfile, type Profile } from '@flamegate/profiles'
import { z } from 'zod'
import { hotPathsIn } from '../hot-paths.ts'
import {
  nothingInside,
  type InsideFound,
  type InsideOptions,
  type InsideProbe,
  type WantedInside,
} from '../inside.ts'
import { allocationsIn, growthIn, hotFunctionsIn } from '../profile-tables.ts'
import { callMethod, evaluate, type InspectedProcess } from './open-process.ts'
import { runtimeWatched, runtimeWatchScript } from './watch-runtime.ts'

const heapEveryMs = 500
/** From these on, shares of a CPU profile mean something. */
const samplesMin = 100
/** Of single garbage collections in a report. */
const longestEvents = 100
const eachEvent = 10_000
/** Between two allocations that are sampled. */
const sampledEveryBytes = 32 * 1024

const heapUsage = z.object({ usedSize: z.number() })
const profiled = z.object({ profile: z.record(z.string(), z.unknown()) })
const chunk = z.object({ chunk: z.string() })

type HeapSample = McpInside['heap'][number]

/** What goes on in a process of Node.js during loads, seen through its inspector. */
export class NodeProbe implements InsideProbe {
  readonly #process: InspectedProcess
  readonly #wanted: WantedInside
  readonly #options: InsideOptions
  /** Of it, what this load is for. */
  #part: WantedInside
  #load = 0
  #watch: string | undefined
  /** The clock of this process less that of the other one. */
  #clockOffsetMs = 0
  /** Moments are by the clock of this process, until it is known when the load began. */
  #heap: HeapSample[] = []
  #files: InsideFound['files'] = []
  #snapshots = 0
  #timers: NodeJS.Timeout[] = []
  /** What is asked for at times comes one after the other. */
  #atTimes: Promise<unknown> = Promise.resolve()

  constructor(process: InspectedProcess, wanted: WantedInside, options: InsideOptions) {
    this.#process = process
    this.#wanted = wanted
    this.#part = wanted
    this.#options = options
  }

  async begin(part: WantedInside = this.#wanted): Promise<void> {
    this.#part = part
    const {
      cpu,
      heap = false,
      gc = false,
      eventLoop = false,
      collections = 'none',
      snapshots = 'none',
    } = part
    this.#load++
    this.#heap = []
    this.#files = []
    this.#snapshots = 0
    if (snapshots !== 'none') await this.#takeSnapshot()
    if (collections !== 'none') await this.#collect()
    // Before what samples its allocations, and not at work before it is.
    if (gc !== false || eventLoop) await this.#beginWatch()
    if (heap !== false) {
      const isOfAll = heap === true
      await this.#send('HeapProfiler.startSampling', {
        samplingInterval: sampledEveryBytes,
        includeObjectsCollectedByMajorGC: isOfAll,
        includeObjectsCollectedByMinorGC: isOfAll,
      })
    }
    if (cpu === true) {
      await this.#send('Profiler.enable')
      await this.#send('Profiler.setSamplingInterval', {
        interval: Math.round(1000 * this.#options.samplingIntervalMs),
      })
      await this.#send('Profiler.start')
    }
    // Last, and ended first: what keeps the server while it is prepared is no delay of its own.
    if (this.#watch !== undefined) await callMethod(this.#process.inspector, this.#watch, 'goOn')
    if (gc !== false || heap !== false) this.#every(heapEveryMs, () => this.#sampleHeap(false))
    if (typeof collections === 'object') this.#every(collections.everyMs, () => this.#collect())
    if (typeof snapshots === 'object') this.#every(snapshots.everyMs, () => this.#takeSnapshot())
  }

  async end(beganAtMs: number): Promise<InsideFound> {
    const { cpu, heap = false, gc = false, collections = 'none', snapshots = 'none' } = this.#part
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await this.#atTimes
    const inside = nothingInside('node')
    const { pid, program, version } = this.#process
    const notes = [
      `The inside is that of process ${pid}, ${program || 'without a file'} in Node.js ${version}, without worker threads.`,
    ]
    if (this.#watch !== undefined) await this.#endWatch(this.#watch, inside, beganAtMs)
    if (cpu === true) {
      const { profile } = profiled.parse(await this.#send('Profiler.stop'))
      await this.#send('Profiler.disable')
      const read = await this.#write('cpu', 'cpu.cpuprofile', profile, notes)
      if (read !== undefined) {
        if (read.sampleCount < samplesMin) {
          notes.push(
            `The CPU profile has ${read.sampleCount} samples, which is few: measure longer, or with a smaller --sampling-interval.`,
          )
        }
        inside.hotFunctions = hotFunctionsIn(read)
        inside.hotPaths = hotPathsIn(read, this.#options.hotPathThreshold)
      }
    }
    if (collections !== 'none') await this.#collect()
    else if (gc !== false || heap !== false) await this.#sampleHeap(false)
    if (heap !== false) {
      // Only what nobody holds any more is gone then.
      if (heap === 'kept') await this.#send('HeapProfiler.collectGarbage')
      const { profile } = profiled.parse(await this.#send('HeapProfiler.stopSampling'))
      const read = await this.#write('heap', 'heap.heapprofile', profile, notes)
      if (heap === 'kept') inside.growth = read === undefined ? [] : growthIn(read)
      else inside.allocations = read === undefined ? [] : allocationsIn(read)
    }
    if (snapshots !== 'none') await this.#takeSnapshot()
    inside.heap = this.#heap.map((sample) => ({ ...sample, atMs: sample.atMs - beganAtMs }))
    return { inside, files: this.#files, notes }
  }

  async close(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    try {
      // A load that came to no end.
      if (this.#watch !== undefined) await callMethod(this.#process.inspector, this.#watch, 'end')
    } finally {
      await this.#process.close()
    }
  }

  #send(method: string, params?: object): Promise<unknown> {
    return this.#process.inspector.send(method, params)
  }

  #every(ms: number, act: () => Promise<void>): void {
    let isAtWork = false
    const timer = setInterval(() => {
      if (isAtWork) return
      isAtWork = true
      this.#atTimes = this.#atTimes.then(act).finally(() => (isAtWork = false))
      // `end` hears of it.
      this.#atTimes.catch(() => undefined)
    }, ms)
    this.#timers.push(timer)
  }

  async #beginWatch(): Promise<void> {
    const { gc, eventLoop } = this.#part
    const { objectId } = await evaluate(
      this.#process.inspector,
      runtimeWatchScript({
        gc: gc !== undefined && gc !== false,
        eventLoop: eventLoop === true,
        eventsMax: gc === 'each' ? eachEvent : longestEvents,
      }),
      false,
    )
    if (objectId === undefined) throw new TypeError('The script answered with nothing')
    this.#watch = objectId
    const before = performance.now()
    const there = Number(await callMethod(this.#process.inspector, objectId, 'now'))
    this.#clockOffsetMs = (before + performance.now()) / 2 - there
    await callMethod(this.#process.inspector, objectId, 'pause')
  }

  async #endWatch(objectId: string, inside: McpInside, beganAtMs: number): Promise<void> {
    const watched = runtimeWatched.parse(await callMethod(this.#process.inspector, objectId, 'end'))
    await this.#send('Runtime.releaseObject', { objectId })
    this.#watch = undefined
    inside.eventLoopDelay = watched.eventLoopDelay
    inside.measures = watched.measures
    if (this.#part.gc === undefined || this.#part.gc === false) return
    const kinds = Object.values(watched.gc.byKind)
    const totalMs = kinds.reduce((sum, kind) => sum + kind.totalMs, 0)
    inside.gc = {
      count: kinds.reduce((sum, kind) => sum + kind.count, 0),
      totalMs,
      maxMs: watched.gc.maxMs,
      share: totalMs / Math.max(1, watched.watchedMs),
      byKind: watched.gc.byKind,
      events: watched.gc.events.map((event) => ({
        ...event,
        atMs: event.atMs + this.#clockOffsetMs - beganAtMs,
      })),
    }
  }

  async #sampleHeap(isAfterGc: boolean): Promise<void> {
    const { usedSize } = heapUsage.parse(await this.#send('Runtime.getHeapUsage'))
    this.#heap.push({ atMs: performance.now(), heapUsedBytes: usedSize, isAfterGc })
  }

  async #collect(): Promise<void> {
    await this.#unwatched(() => this.#send('HeapProfiler.collectGarbage'))
    await this.#sampleHeap(true)
  }

  /** Does what would be seen by the watch, and is no doing of the program. */
  async #unwatched(act: () => Promise<unknown>): Promise<void> {
    const watch = this.#watch
    const { inspector } = this.#process
    if (watch !== undefined) await callMethod(inspector, watch, 'pause')
    await act()
    if (watch !== undefined) await callMethod(inspector, watch, 'goOn')
  }

  async #takeSnapshot(): Promise<void> {
    const file = await this.#newFile(`heap-${++this.#snapshots}.heapsnapshot`)
    const stream = createWriteStream(file)
    this.#process.inspector.on('HeapProfiler.addHeapSnapshotChunk', (params) => {
      stream.write(chunk.parse(params).chunk)
    })
    await this.#unwatched(() => this.#send('HeapProfiler.takeHeapSnapshot', { reportProgress: false }))
    stream.end()
    await finished(stream)
    this.#files.push({ kind: 'heap_snapshot', path: file })
    // It has collected all garbage.
    await this.#sampleHeap(true)
  }

  /** Undefined, with a note, when nothing is in it. */
  async #write(
    kind: InsideFound['files'][number]['kind'],
    name: string,
    profile: object,
    notes: string[],
  ): Promise<Profile | undefined> {
    const file = await this.#newFile(name)
    const bytes = Buffer.from(JSON.stringify(profile))
    await writeFile(file, bytes)
    this.#files.push({ kind, path: file })
    try {
      return readProfile(bytes)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      notes.push(`${name} tells nothing: ${error.message}.`)
      return undefined
    }
  }

  /** Those of a second load beside those of the first. */
  async #newFile(name: string): Promise<string> {
    const { folder } = this.#options
    await mkdir(folder, { recursive: true })
    const { name: stem, ext } = path.parse(name)
    return path.join(folder, this.#load === 1 ? name : `${stem}-of-load-${this.#load}${ext}`)
  }
}
