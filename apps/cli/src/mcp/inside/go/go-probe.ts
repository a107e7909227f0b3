import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { McpInside } from '@flamegate/mcp-profiling'
import { exportProfile, heapGrowth, mergeProfiles, readProfile } from '@flamegate/profiles'
import { capturePprof, pprofAddress } from '../../../capture/capture-pprof.ts'
import {
  nothingInside,
  type InsideFound,
  type InsideOptions,
  type InsideProbe,
  type WantedInside,
} from '../inside.ts'
import { hotFunctionsIn } from '../profile-tables.ts'
import { readMemoryStats, type GoMemoryStats } from './memory-stats.ts'

/** A CPU profile is of a time that has to be said at its start, which is before anybody knows how long the load takes. */
const sliceSeconds = 2
const answerMsMax = 30_000
const rowsMax = 50
const longestEvents = 100

/** What goes on in a program in Go during loads, by what it serves at /debug/pprof. */
export class GoProbe implements InsideProbe {
  readonly #url: string
  readonly #wanted: WantedInside
  readonly #options: InsideOptions
  #part: WantedInside
  #load = 0
  #heap: McpInside['heap'] = []
  #before: { stats: GoMemoryStats | undefined; heap: Buffer | undefined; atMs: number } | undefined
  #timer: NodeJS.Timeout | undefined
  #atTimes: Promise<unknown> = Promise.resolve()
  #isOver = false
  #slices: Promise<string[]> = Promise.resolve([])

  constructor(url: string, wanted: WantedInside, options: InsideOptions) {
    this.#url = url
    this.#wanted = wanted
    this.#part = wanted
    this.#options = options
  }

  async begin(part = this.#wanted): Promise<void> {
    const { cpu = false, heap = false, gc = false, collections = 'none' } = part
    this.#part = part
    this.#load++
    this.#heap = []
    await mkdir(this.#options.folder, { recursive: true })
    this.#before = {
      heap: heap === false ? undefined : await this.#get('heap', { gc: '1' }),
      stats: gc === false ? undefined : await this.#stats(false),
      atMs: performance.now(),
    }
    if (collections !== 'none') await this.#collect()
    if (typeof collections === 'object') {
      this.#timer = setInterval(() => {
        this.#atTimes = this.#atTimes.then(() => this.#collect())
        // `end` hears of it.
        this.#atTimes.catch(() => undefined)
      }, collections.everyMs)
    }
    this.#isOver = false
    if (cpu) {
      this.#slices = this.#takeSlices()
      this.#slices.catch(() => undefined)
    }
  }

  async end(beganAtMs: number): Promise<InsideFound> {
    const { cpu = false, collections = 'none', snapshots = 'none', eventLoop } = this.#part
    this.#isOver = true
    clearInterval(this.#timer)
    await this.#atTimes
    const inside = nothingInside('go')
    const files: InsideFound['files'] = []
    const notes = [`The inside is what the program serves at ${this.#url}.`]
    if (this.#before?.stats !== undefined) {
      inside.gc = gcBetween(
        this.#before.stats,
        await this.#stats(false),
        performance.now() - this.#before.atMs,
      )
      notes.push('Pauses are those in which all of the program stands still; Go collects garbage beside it.')
    }
    if (collections !== 'none') await this.#collect()
    if (this.#before?.heap !== undefined) {
      const file = this.#fileOf('heap.pb.gz')
      const after = await this.#get('heap', { gc: '1' })
      await writeFile(file, after)
      files.push({ kind: 'heap', path: file })
      inside.growth = growthBetween(this.#before.heap, after)
    }
    if (cpu) {
      const file = this.#fileOf('cpu.pb.gz')
      inside.hotFunctions = await merged(await this.#slices, file)
      files.push({ kind: 'cpu', path: file })
    }
    if (snapshots !== 'none') notes.push('Go has no heap snapshots.')
    if (eventLoop === true) notes.push('The delay of the event loop is seen of Node.js only.')
    inside.heap = this.#heap.map((sample) => ({ ...sample, atMs: sample.atMs - beganAtMs }))
    return { inside, files, notes }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #takeSlices(): Promise<string[]> {
    const files: string[] = []
    while (!this.#isOver) {
      const folder = this.#fileOf(`slice-${files.length + 1}`)
      await mkdir(folder, { recursive: true })
      const request = {
        kind: 'pprof',
        type: 'cpu',
        target: { url: this.#url },
        seconds: sliceSeconds,
      } as const
      const { files: taken } = await capturePprof(request, {
        folder,
        cwd: folder,
        env: {},
        passOn: () => undefined,
        interruption: new AbortController().signal,
        isAtTerminal: false,
      })
      const [file] = taken
      if (file !== undefined) {
        await rename(file, `${folder}.pb.gz`)
        files.push(`${folder}.pb.gz`)
      }
      await rm(folder, { recursive: true })
    }
    return files
  }

  async #collect(): Promise<void> {
    const { heapBytes } = await this.#stats(true)
    this.#heap.push({ atMs: performance.now(), heapUsedBytes: heapBytes, isAfterGc: true })
  }

  async #stats(isCollected: boolean): Promise<GoMemoryStats> {
    const text = await this.#get('heap', { debug: '1', ...(isCollected ? { gc: '1' } : {}) })
    return readMemoryStats(text.toString())
  }

  async #get(type: 'heap', query: Readonly<Record<string, string>>): Promise<Buffer> {
    const address = pprofAddress({ target: { url: this.#url }, type, seconds: undefined })
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    const response = await fetch(address, { signal: AbortSignal.timeout(answerMsMax) })
    if (!response.ok) throw new Error(`${address.href} answered ${response.status}.`)
    return Buffer.from(await response.arrayBuffer())
  }

  /** Those of a second load beside those of the first. */
  #fileOf(name: string): string {
    return path.join(this.#options.folder, this.#load === 1 ? name : `load-${this.#load}-${name}`)
  }
}

/** Makes one profile of the slices, which are gone then. */
async function merged(slices: readonly string[], file: string): Promise<McpInside['hotFunctions']> {
  const profiles = await Promise.all(slices.map(async (slice) => readProfile(await readFile(slice))))
  const whole = mergeProfiles(profiles)
  await writeFile(file, exportProfile(whole, whole.detail, 'pprof', { name: path.basename(file) }).bytes)
  await Promise.all(slices.map((slice) => rm(slice)))
  return hotFunctionsIn(whole)
}

function growthBetween(before: Buffer, after: Buffer): McpInside['growth'] {
  const { growing } = heapGrowth(readProfile(before), readProfile(after), {
    limit: rowsMax,
    thresholdPercent: 0,
  })
  return growing.map(({ functionName, file, line, growth, objectGrowth = 0 }) => ({
    name: functionName,
    place: line > 0 ? `${file}:${line}` : file,
    bytes: growth,
    count: objectGrowth,
  }))
}

function gcBetween(
  before: GoMemoryStats,
  after: GoMemoryStats,
  durationMs: number,
): NonNullable<McpInside['gc']> {
  const count = after.collections - before.collections
  const pauses = Array.from({ length: Math.min(count, longestEvents) }, (_, back) =>
    after.pauseMs(after.collections - back),
  )
  // Of more than are kept, the sum is that of as many as there were.
  const kept = pauses.reduce((sum, pauseMs) => sum + pauseMs, 0)
  const totalMs = pauses.length === 0 ? 0 : (kept * count) / pauses.length
  return {
    count,
    totalMs,
    maxMs: Math.max(0, ...pauses),
    share: totalMs / Math.max(1, durationMs),
    byKind: count === 0 ? {} : { pause: { count, totalMs } },
    // When each was is not told by the text.
    events: [],
  }
}
