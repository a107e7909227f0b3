import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { inOneBuffer, jobs, type JobName, type Jobs } from './jobs.ts'
import type { ThreadReply, ThreadRequest } from './thread.ts'
import { Turns } from './turns.ts'

const threadFile = new URL('thread.ts', import.meta.url)

/** Of fewer bytes, what is asked takes some milliseconds, and to ask somebody else takes as long. */
const leastBytes = 256 * 1024

/** Work of which other threads do a part, while this one does its own. */
interface Shared<Made> {
  /** Whether this thread does a piece: asked of all, by rising numbers. */
  isMine: (piece: number) => boolean
  /** What the others made of theirs; to be asked once this thread has asked of all pieces. */
  others: () => Promise<Made[]>
}

interface Helper {
  worker: Worker
  done: PromiseWithResolvers<unknown> | undefined
}

/**
 * Threads that lend a hand when much is decoded, added up or sealed. Nobody waits for one of them to start or to be free: those that
 * have nothing to do are asked, and do of the pieces what this thread has not come to. They keep no process alive.
 */
export class SeriesThreads {
  readonly #threadsMax: number
  readonly #leastBytes: number
  readonly #helpers = new Set<Helper>()
  readonly #idle = new Set<Helper>()

  constructor(options: { threadsMax?: number; leastBytes?: number } = {}) {
    this.#threadsMax = options.threadsMax ?? Math.min(3, availableParallelism() - 1)
    this.#leastBytes = options.leastBytes ?? leastBytes
  }

  /** How many have nothing to do. */
  get idle(): number {
    return this.#idle.size
  }

  /** Begins a job together with whoever is idle. */
  share<Name extends JobName>(
    name: Name,
    given: readonly Jobs[Name]['given'][],
    asked: Jobs[Name]['asked'],
  ): Shared<Jobs[Name]['made']> {
    const isLarge = given.reduce((sum, { bytes }) => sum + bytes.length, 0) >= this.#leastBytes
    const helpers = isLarge ? [...this.#idle] : []
    if (isLarge && this.#helpers.size < this.#threadsMax) this.#start()
    if (helpers.length === 0) return { isMine: () => true, others: () => Promise.resolve([]) }
    const memory = Turns.memory(1 + helpers.length)
    const turns = new Turns(memory, 0)
    const asking = helpers.map((helper, place) => {
      const { items, buffer } = inOneBuffer(given)
      const request = { name, given: items, asked, turns: memory, thread: 1 + place }
      return this.#ask(helper, request, [buffer])
    })
    return {
      isMine: turns.isMine,
      others: async () => {
        turns.close()
        const begun = asking.filter((_, place) => turns.hasBegun(1 + place))
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a thread makes of a job what the job is known to make
        const made = (await Promise.all(begun)) as Jobs[Name]['made'][]
        return made.map((part) => jobs[name].received(part))
      },
    }
  }

  #ask(helper: Helper, request: ThreadRequest, buffers: ArrayBuffer[]): Promise<unknown> {
    this.#idle.delete(helper)
    helper.done = Promise.withResolvers()
    // Whoever fails before the end does not ask for it.
    helper.done.promise.catch(() => undefined)
    helper.worker.postMessage(request, buffers)
    return helper.done.promise
  }

  #start(): void {
    const worker = new Worker(threadFile)
    const helper: Helper = { worker, done: undefined }
    this.#helpers.add(helper)
    const end = (error: unknown) => {
      this.#helpers.delete(helper)
      this.#idle.delete(helper)
      helper.done?.reject(error)
    }
    worker
      .on('message', (message: ThreadReply) => {
        this.#idle.add(helper)
        if (message === 'ready') return
        if ('error' in message) helper.done?.reject(message.error)
        else helper.done?.resolve(message.made)
      })
      .on('error', end)
      .on('exit', () => end(new Error('A thread for series ended')))
    // After that, because to listen is a reason to stay.
    worker.unref()
  }
}

/** Those of this process. */
export const seriesThreads = new SeriesThreads()
