import { Readable } from 'node:stream'
import { hasBenchEnded, type BenchResultState } from '@flamegate/contract'
import type { BenchNews } from '@flamegate/operations/ports'

/** A run as a stream knows it. */
export interface FollowedRun {
  id: string
  state: BenchResultState
  startedAtMs: number | null
  durationMs: number
}

/** What a stream tells of. */
export interface Followed {
  /** With which it begins; it ends when all of them have ended. */
  runs: readonly FollowedRun[]
  /** All runs of this project, also those to come, but not their seconds; then it does not end by itself. */
  ofProject?: string
}

/** New seconds make one event so often, changes of state at once, or nearly so where several come. */
const secondsEveryMs = 2_000
const statesEveryMs = 250
/** Bytes that may wait for a reader; beyond that, only the newest of each run is kept. */
const bufferBytes = 4_096
/** How soon a client comes again when the stream breaks. */
const retryMs = 2_000
/** Of a project; of more, those that have ended are forgotten. */
const runsMax = 100

interface RunNow extends Omit<FollowedRun, 'id'> {
  second: number | null
}

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) that say which runs have something
 * new, and no more: `news`, with how the runs stand, and `end`, when no more will come. They have no ids, and Last-Event-ID is not
 * asked about: each event says how runs stand and not what became of them since the last one, and a stream that is opened again begins
 * with that. To go on from an id would take a memory of events in all processes, and whoever reads would know nothing more.
 */
export class NewsStream extends Readable {
  readonly #runs = new Map<string, RunNow>()
  readonly #changed = new Set<string>()
  /** Until it is known what the stream is of. */
  #early: BenchNews[] | undefined = []
  #project: string | undefined
  #isRead = false
  #isStuck = false
  #isDue = false
  #isOver = false
  #dueAt = Infinity
  #timer: NodeJS.Timeout | undefined
  #lastAt = 0

  constructor() {
    super({ highWaterMark: bufferBytes })
    this.push(`retry: ${retryMs}\n\n`)
  }

  /** Begins with how things stood, and what was told since the stream was made. */
  begin({ runs, ofProject }: Followed): void {
    this.#project = ofProject
    for (const { id, ...run } of runs) {
      this.#runs.set(id, { ...run, second: null })
      this.#changed.add(id)
    }
    const early = this.#early ?? []
    this.#early = undefined
    for (const news of early) this.tell(news)
    this.#isDue = true
    this.#write()
  }

  tell(news: BenchNews): void {
    if (this.#early !== undefined) this.#early.push(news)
    else if (this.#take(news)) {
      this.#changed.add(news.benchResultId)
      this.#writeWithin(news.of === 'series' ? secondsEveryMs : statesEveryMs)
    }
  }

  /** Shows whoever is in between that the stream is alive. Ends it when nothing was read of it since the last time. */
  beat(): void {
    if (this.#isStuck) this.destroy()
    this.#isStuck = !this.#isRead
    if (this.#isRead) this.#isRead = this.push(':\n\n')
  }

  /** Ends it, and a client comes again. */
  close(): void {
    if (!this.#isOver && !this.destroyed) this.push(null)
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  override _read(): void {
    this.#isRead = true
    this.#isStuck = false
    this.#write()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer)
    done(error)
  }

  /** @returns whether it is of this stream */
  #take(news: BenchNews): boolean {
    const { benchResultId: id } = news
    const known = this.#runs.get(id)
    if (news.of === 'run') {
      const { projectId, state, startedAtMs, durationMs } = news
      if (known === undefined && projectId !== this.#project) return false
      if (state === null) this.#runs.delete(id)
      else this.#runs.set(id, { state, startedAtMs, durationMs, second: known?.second ?? null })
      return true
    }
    if (known === undefined) return false
    if (news.of === 'agents') return true
    if (this.#project !== undefined) return false
    this.#runs.set(id, { ...known, second: Math.max(known.second ?? 0, news.second) })
    return true
  }

  #writeWithin(gapMs: number): void {
    const at = this.#lastAt + gapMs
    if (at >= this.#dueAt) return
    this.#dueAt = at
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => {
        this.#isDue = true
        this.#write()
      },
      Math.max(0, at - Date.now()),
    )
  }

  /** What is new, once it is due and somebody reads. */
  #write(): void {
    if (!this.#isDue || !this.#isRead || this.#isOver) return
    this.#isDue = false
    this.#dueAt = Infinity
    this.#lastAt = Date.now()
    const runs = [...this.#changed].flatMap((id) => {
      const run = this.#runs.get(id)
      return run === undefined ? [] : [onWire(id, run)]
    })
    this.#changed.clear()
    this.#isRead = this.push(`event: news\ndata: ${JSON.stringify({ runs })}\n\n`)
    if (this.#project !== undefined) this.#forgetEnded()
    else if ([...this.#runs.values()].every(({ state }) => hasBenchEnded(state))) {
      this.push('event: end\ndata: {}\n\n')
      this.close()
    }
  }

  #forgetEnded(): void {
    if (this.#runs.size <= runsMax) return
    for (const [id, { state }] of this.#runs) if (hasBenchEnded(state)) this.#runs.delete(id)
  }
}

function onWire(id: string, { state, startedAtMs, durationMs, second }: RunNow) {
  const passedMs = startedAtMs === null ? 0 : Date.now() - startedAtMs
  const share = durationMs === 0 ? 0 : Math.min(1, Math.max(0, passedMs / durationMs))
  const progress = state === 'FINISHED' ? 1 : Math.round(share * 1000) / 1000
  return { bench_result_id: id, state, progress, second }
}
