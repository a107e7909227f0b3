import { randomUUID } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { McpInside } from '@flamegate/mcp-profiling'
import { readProfile, type ImportedProfile } from '@flamegate/profiles'
import {
  nothingInside,
  type InsideFound,
  type InsideOptions,
  type InsideProbe,
  type WantedInside,
} from '../inside.ts'
import { noticedGrowth } from '../noticed-growth.ts'
import { allocationsIn, hotFunctionsIn } from '../profile-tables.ts'
import { classHistogram, collectionsIn, jcmd, type ClassRow, type JvmCollection } from './jdk-tools.ts'

const longestEvents = 100
const eachEvent = 10_000

/** What goes on in a JVM during loads: Flight Recorder, of any duration, and the classes of its heap. */
export class JvmProbe implements InsideProbe {
  readonly #pid: number
  readonly #wanted: WantedInside
  readonly #options: InsideOptions
  readonly #recording = `mcp-profiler-${randomUUID().slice(0, 8)}`
  #part: WantedInside
  #load = 0
  #isRecording = false
  #heap: McpInside['heap'] = []
  #classesBefore: ReadonlyMap<string, ClassRow> | undefined
  #timer: NodeJS.Timeout | undefined
  #atTimes: Promise<unknown> = Promise.resolve()

  constructor(pid: number, wanted: WantedInside, options: InsideOptions) {
    this.#pid = pid
    this.#wanted = wanted
    this.#part = wanted
    this.#options = options
  }

  async begin(part = this.#wanted): Promise<void> {
    const { cpu = false, heap = false, gc = false, collections = 'none' } = part
    this.#part = part
    this.#load++
    this.#heap = []
    const { env } = this.#options
    const classes = heap === 'kept' ? await classHistogram(this.#pid, env) : undefined
    this.#classesBefore = classes
    if (collections !== 'none') await this.#collect()
    if (typeof collections === 'object') {
      let isAtWork = false
      this.#timer = setInterval(() => {
        // A command to a JVM takes a second where processors are busy.
        if (isAtWork) return
        isAtWork = true
        this.#atTimes = this.#atTimes.then(() => this.#collect()).finally(() => (isAtWork = false))
        // `end` hears of it.
        this.#atTimes.catch(() => undefined)
      }, collections.everyMs)
    }
    if (cpu || heap === true || gc !== false) {
      const said = await jcmd(this.#pid, ['JFR.start', `name=${this.#recording}`, 'settings=profile'], env)
      if (!said.includes('Started recording'))
        throw new Error(`Flight Recorder did not start: ${said.trim()}`)
      this.#isRecording = true
    }
  }

  async end(beganAtMs: number): Promise<InsideFound> {
    const {
      cpu = false,
      heap = false,
      gc = false,
      collections = 'none',
      snapshots = 'none',
      eventLoop,
    } = this.#part
    clearInterval(this.#timer)
    const inside = nothingInside('java')
    const files: InsideFound['files'] = []
    const notes = [`The inside is that of process ${this.#pid}, a JVM.`]
    if (this.#isRecording) {
      const file = await this.#endRecording()
      files.push({ kind: cpu ? 'cpu' : 'other', path: file })
      const recorded = readRecording(await readFile(file))
      if (cpu) inside.hotFunctions = recorded === undefined ? [] : hotFunctionsIn(recorded)
      if (heap === true && recorded !== undefined) {
        const index = recorded.sampleTypes.findIndex(({ type }) => type === 'alloc_space')
        inside.allocations = index === -1 ? [] : allocationsIn({ ...recorded, defaultSampleTypeIndex: index })
      }
      if (gc !== false) {
        inside.gc = pausesOf(
          await collectionsIn(file, this.#options.env),
          beganAtMs,
          gc === 'each' ? eachEvent : longestEvents,
        )
      }
      if (recorded === undefined)
        notes.push('Flight Recorder took no samples: the server did hardly anything.')
    }
    await this.#atTimes
    if (collections !== 'none') await this.#collect()
    if (this.#classesBefore !== undefined) {
      inside.growth = growthBetween(this.#classesBefore, await classHistogram(this.#pid, this.#options.env))
    }
    if (snapshots !== 'none')
      notes.push('Heap snapshots are taken of Node.js only; memory-leaks tells which classes grow.')
    if (eventLoop === true) notes.push('The delay of the event loop is seen of Node.js only.')
    inside.heap = this.#heap.map((sample) => ({ ...sample, atMs: sample.atMs - beganAtMs }))
    return { inside, files, notes }
  }

  async close(): Promise<void> {
    if (this.#isRecording) await jcmd(this.#pid, ['JFR.stop', `name=${this.#recording}`], this.#options.env)
  }

  async #endRecording(): Promise<string> {
    const { folder, env } = this.#options
    await mkdir(folder, { recursive: true })
    // Those of a second load beside those of the first.
    const name = this.#load === 1 ? 'recording.jfr' : `load-${this.#load}-recording.jfr`
    const file = path.resolve(folder, name)
    await jcmd(this.#pid, ['JFR.dump', `name=${this.#recording}`, `filename=${file}`], env)
    await jcmd(this.#pid, ['JFR.stop', `name=${this.#recording}`], env)
    this.#isRecording = false
    return file
  }

  async #collect(): Promise<void> {
    const rows = await classHistogram(this.#pid, this.#options.env)
    const heapUsedBytes = [...rows.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    this.#heap.push({ atMs: performance.now(), heapUsedBytes, isAfterGc: true })
  }
}

/** Undefined where nothing was sampled, which is no profile. */
function readRecording(bytes: Uint8Array): ImportedProfile | undefined {
  try {
    return readProfile(bytes)
  } catch {
    return undefined
  }
}

function growthBetween(
  before: ReadonlyMap<string, ClassRow>,
  after: ReadonlyMap<string, ClassRow>,
): McpInside['growth'] {
  return noticedGrowth(
    [...after.values()].map(({ name, objects, bytes }) => ({
      name,
      place: '',
      bytes: bytes - (before.get(name)?.bytes ?? 0),
      count: objects - (before.get(name)?.objects ?? 0),
    })),
  )
}

function pausesOf(
  all: readonly JvmCollection[],
  loadBeganAtMs: number,
  eventsMax: number,
): NonNullable<McpInside['gc']> {
  const beganAt = performance.timeOrigin + loadBeganAtMs
  const during = all.filter(({ startedAt }) => startedAt >= beganAt)
  const byKind: NonNullable<McpInside['gc']>['byKind'] = {}
  for (const { name, pauseMs } of during) {
    const own = (byKind[name] ??= { count: 0, totalMs: 0 })
    own.count++
    own.totalMs += pauseMs
  }
  const totalMs = during.reduce((sum, { pauseMs }) => sum + pauseMs, 0)
  return {
    count: during.length,
    totalMs,
    maxMs: Math.max(0, ...during.map(({ pauseMs }) => pauseMs)),
    share: totalMs / Math.max(1, performance.now() - loadBeganAtMs),
    byKind,
    events: during
      .map(({ name, startedAt, pauseMs }) => ({ atMs: startedAt - beganAt, durationMs: pauseMs, kind: name }))
      .toSorted((a, b) => b.durationMs - a.durationMs)
      .slice(0, eventsMax)
      .toSorted((a, b) => a.atMs - b.atMs),
  }
}
