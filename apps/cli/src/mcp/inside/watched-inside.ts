import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { McpReport } from '@flamegate/mcp-profiling'
import type { OpenServer } from '../open-server.ts'
import type { InsideFound, InsideProbe, Preparation, WantedInside } from './inside.ts'

/** What a report has of the inside. */
export type InsideParts = Pick<McpReport, 'inside' | 'profiles' | 'notes'>

/** For reading a large profile out of a server that is busy. */
const patienceMs = 120_000
const resolutionMs = 10

/** The inside of a server while its loads run. Whatever goes wrong with it is a note, and never the end of the load. */
export class WatchedInside {
  readonly #probe: InsideProbe | undefined
  /** Of this process: what the machine alone delays. */
  readonly #ownDelay = monitorEventLoopDelay({ resolution: resolutionMs })
  #notes: string[]

  private constructor(probe: InsideProbe | undefined, notes: string[]) {
    this.#probe = probe
    this.#notes = notes
  }

  static async open(preparation: Preparation | undefined, server: OpenServer): Promise<WatchedInside> {
    if (preparation === undefined) {
      return new WatchedInside(undefined, [
        'The inside of the server was not seen: it is not known what it runs on, or it is not on this machine.',
      ])
    }
    try {
      return new WatchedInside(await inTime(preparation.attach(server)), [])
    } catch (error) {
      return new WatchedInside(undefined, [`The inside of the server was not seen: ${messageOf(error)}`])
    }
  }

  async begin(part?: WantedInside): Promise<void> {
    await this.#tryTo('The inside of the server was not seen', (probe) => probe.begin(part))
    this.#ownDelay.reset()
    this.#ownDelay.enable()
  }

  /** What was found since `begin`. */
  async end(beganAtMs: number): Promise<InsideParts> {
    this.#ownDelay.disable()
    const control = { p99Ms: lateMs(this.#ownDelay.percentile(99)), maxMs: lateMs(this.#ownDelay.max) }
    const found = await this.#tryTo<InsideFound>('What the server did inside was lost', (probe) =>
      probe.end(beganAtMs),
    )
    const delay = found?.inside.eventLoopDelay
    if (delay) delay.control = control
    const notes = [...this.#notes, ...(found?.notes ?? [])]
    this.#notes = this.#probe === undefined ? this.#notes : []
    return {
      inside: found?.inside ?? null,
      profiles: (found?.files ?? []).map((file) => ({ ...file, profileId: null })),
      notes,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tryTo('The server is still prepared to be looked into', (probe) => probe.close())
  }

  async #tryTo<T>(what: string, act: (probe: InsideProbe) => Promise<T>): Promise<T | undefined> {
    if (this.#probe === undefined) return undefined
    try {
      return await inTime(act(this.#probe))
    } catch (error) {
      this.#notes.push(`${what}: ${messageOf(error)}`)
      return undefined
    }
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`There was no answer in ${patienceMs / 1000} s.`)),
    patienceMs,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A timer tells how long it took; the part that it should take is no delay. */
function lateMs(ns: number): number {
  return Math.max(0, (Number.isFinite(ns) ? ns : 0) / 1e6 - resolutionMs)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'why is not known.'
}
