import { Worker } from 'node:worker_threads'
import { outOfRowsWords, scenario as scenarioSchema } from '@flamegate/loadtest/scenario'
import type { DealtShare, FailureSample, KeptPageTrace, MeasuredPageLoad } from '@flamegate/loadtest-engine'
import type { Tick } from '@flamegate/series'
import { threadParts, type Share, type ShardPlan } from './load-plan.ts'
import type { ProjectFiles } from './project-files.ts'
import { TickMerger } from './merge-ticks.ts'
import type { EndedProfile, FromThread, ThreadTask, ToThread } from './thread-messages.ts'

const threadFile = new URL('start-load-thread.ts', import.meta.url)

/** Who hears what threads tell besides their seconds. */
export interface ThreadListener {
  onSample: (sample: FailureSample) => void
  onPageLoad: (load: MeasuredPageLoad) => void
  /** Page actions that were recorded, where the scenario asks for it. */
  onPageTrace: (trace: KeptPageTrace) => void
  /** Rows of requests as `RequestLogWriter` gave them, where the scenario asks for them. */
  onRequests: (frame: Uint8Array, rows: number) => void
}

/** What the threads of an agent may take, and what they share. */
interface ThreadLimits {
  threadsMax: number
  /** Users that get a browser, at once. */
  browserUsersMax: number
  files: ProjectFiles
}

/** Makes the load of a shard in several threads, and tells it as if one had made it. */
export class LoadThreads {
  /** When all of them have loaded the shard; rejects with why it cannot be made. */
  readonly ready: Promise<void>
  /** When all users of all threads have ended, and all was told; rejects where a thread fails. */
  readonly done: Promise<{ words: readonly string[] }>
  readonly #threads: readonly Worker[]
  readonly #listener: ThreadListener
  readonly #merger: TickMerger
  readonly #ready = Promise.withResolvers<void>()
  readonly #done = Promise.withResolvers<{ words: readonly string[] }>()
  readonly #words = new Set<string>()
  readonly #shard: ShardPlan
  readonly #ended: EndedProfile[] = []
  #waitingFor: { ready: number; done: number }
  #ticks: Tick[] = []

  constructor(
    shard: ShardPlan,
    share: Share,
    { threadsMax, browserUsersMax, files }: ThreadLimits,
    listener: ThreadListener,
  ) {
    this.ready = this.#ready.promise
    this.done = this.#done.promise
    this.#listener = listener
    this.#shard = shard
    const parts = threadParts(shard, threadsMax, files)
    this.#waitingFor = { ready: parts.length, done: parts.length }
    this.#merger = new TickMerger(parts.length)
    // Whoever waits for one of them hears of it; the other one need not be heard, too.
    for (const promise of [this.ready, this.done]) promise.catch(() => {})
    this.#threads = parts.map((part, thread) => {
      const task: ThreadTask = { shard, share, part, browserUsersMax }
      return new Worker(threadFile, { workerData: task })
        .on('message', (message: FromThread) => this.#take(thread, message))
        .on('error', (error) => this.#fail(error))
        .on('exit', () => this.#fail(new Error('A thread ended before its users did.')))
    })
  }

  /** `startAt`: milliseconds since 1970; `dealt`: the shares by which values of each variable are dealt out, all of them when left out. */
  begin(startAt: number, share: Share, dealt: readonly DealtShare[] = []): void {
    this.#tell({ type: 'begin', startAt, share, dealt })
  }

  /** Another share, from a moment of the run on. */
  setShare(share: Share, elapsedMs: number): void {
    this.#tell({ type: 'share', share, elapsedMs })
  }

  /** No iteration begins any more; users end at their next step, within five seconds. */
  stop(): void {
    this.#tell({ type: 'stop' })
  }

  /** Whole seconds that were not taken yet. */
  takeTicks(): Tick[] {
    return this.#ticks.splice(0)
  }

  /** Also in the middle of it. */
  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
  }

  #tell(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    for (const thread of this.#threads) thread.postMessage(message)
  }

  #take(thread: number, message: FromThread): void {
    switch (message.type) {
      case 'ready':
        if (--this.#waitingFor.ready === 0) this.#ready.resolve()
        return
      case 'tick':
        this.#ticks.push(...this.#merger.add(thread, message.tick))
        return
      case 'sample':
        this.#listener.onSample(message.sample)
        return
      case 'page_load':
        this.#listener.onPageLoad(message.load)
        return
      case 'page_trace':
        this.#listener.onPageTrace(message.trace)
        return
      case 'requests':
        this.#listener.onRequests(message.frame, message.rows)
        return
      default:
        for (const words of message.words) this.#words.add(words)
        this.#ended.push(...message.profiles)
        this.#ticks.push(...this.#merger.end(thread))
        if (--this.#waitingFor.done === 0)
          this.#done.resolve({ words: [...this.#outOfRows(), ...this.#words] })
    }
  }

  /** What is to be told of profiles of which all users of all threads ran out of rows. */
  #outOfRows(): string[] {
    const { profiles } = scenarioSchema.parse(this.#shard.scenario)
    return profiles.flatMap(({ name }, place) => {
      const ends = this.#ended.filter(({ profile }) => profile === place)
      const variable = ends[0]?.outOfRows ?? null
      return variable === null || ends.some(({ outOfRows }) => outOfRows === null)
        ? []
        : [outOfRowsWords(name, variable)]
    })
  }

  #fail(error: unknown): void {
    this.#ready.reject(error)
    this.#done.reject(error)
  }
}
