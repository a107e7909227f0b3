import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { createHotpathLogs, type HotpathReading, type LiveLog, type LiveProgram } from '@flamegate/live'
import type { MetricsServer } from './metrics-server.ts'

/** How far two estimates of when a program began may differ. */
const startToleranceMs = 2000

/** Between two looks at the program: the same numbers could be another run's. */
interface Look {
  reading: HotpathReading
  readAt: number
  /** Whether the program was away since the look before. */
  wasAway: boolean
}

/** One run of the program, with what was read of its logs. */
export class ProgramRun {
  readonly session = `hotpath-${randomUUID()}`
  readonly #logs = createHotpathLogs()
  /** By path: the count of the item when its log was read, and in which round that was. */
  readonly #read = new Map<string, { moved: number; round: number }>()
  #round = 0
  #startedAt: number | undefined
  #elapsedMs = 0
  #pid: number | undefined

  /** Whether the look shows another run: its clock went back, or it is another process. */
  isOver({ reading: { elapsedMs, pid }, readAt, wasAway }: Look): boolean {
    if (pid !== undefined && this.#pid !== undefined && pid !== this.#pid) return true
    if (elapsedMs === undefined) return false
    if (elapsedMs < this.#elapsedMs) return true
    // While nobody looked, its clock may have come further than that of the run before.
    return wasAway && this.#startedAt !== undefined && readAt - elapsedMs > this.#startedAt + startToleranceMs
  }

  take({ reading: { elapsedMs, pid }, readAt }: Look): void {
    this.#round++
    this.#pid ??= pid
    if (elapsedMs === undefined) return
    this.#elapsedMs = Math.max(this.#elapsedMs, elapsedMs)
    // Each answer was on its way for a while: the earliest estimate is the best.
    this.#startedAt = Math.min(this.#startedAt ?? Infinity, readAt - elapsedMs)
  }

  /**
   * Reads the logs of items of which the counts moved, those first that waited longest, as long as there is time; at least one.
   * @throws NoProgram
   */
  async readLogs(server: MetricsServer, { logs }: HotpathReading, until: number): Promise<LiveLog[]> {
    const moved = logs.filter((log) => log.moved > 0 && log.moved !== this.#read.get(log.path)?.moved)
    const waiting = moved.toSorted((a, b) => this.#roundOf(a.path) - this.#roundOf(b.path))
    const read: LiveLog[] = []
    for (const [position, { section, item, path, moved: count }] of waiting.entries()) {
      if (position > 0 && Date.now() > until) break
      const { status, body } = await server.get(path)
      this.#read.set(path, { moved: count, round: this.#round })
      const clock = { readAt: Date.now(), startedAt: this.#startedAt }
      const log = status === 200 ? this.#logs.read({ section, item }, body, clock) : undefined
      if (log !== undefined) read.push(log)
    }
    return read
  }

  program({ caller, era }: HotpathReading): LiveProgram {
    return {
      name: (caller ?? 'hotpath').slice(0, 500),
      source: 'hotpath',
      language: 'rust',
      host: hostname(),
      ...(era === undefined ? {} : { era }),
      ...(this.#pid === undefined ? {} : { pid: this.#pid }),
      ...(this.#startedAt === undefined ? {} : { started_at: this.#startedAt }),
    }
  }

  #roundOf(path: string): number {
    return this.#read.get(path)?.round ?? 0
  }
}
