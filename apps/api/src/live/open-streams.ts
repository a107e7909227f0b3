import { Problem, type Principal } from '@flamegate/contract'
import type { BenchNews } from '@flamegate/operations/ports'
import { NewsStream } from './news-stream.ts'

/** A page has one while somebody looks at it. */
const streamsPerUserMax = 20
/** Of one process. */
const streamsMax = 2_000
const comeAgainSeconds = 30

interface OpenStream {
  stream: NewsStream
  userId: string
  /** Rejects when whoever opened it may not read it any more. */
  check: () => Promise<void>
}

/** The streams of this process. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>()
  readonly #timer: NodeJS.Timeout

  /** @param beatMs how often streams show that they are alive, and are held against who may read them */
  constructor(beatMs: number) {
    this.#timer = setInterval(() => this.#beat(), beatMs).unref()
  }

  /** @throws Problem `rate_limited` */
  add({ userId }: Principal, check: OpenStream['check']): NewsStream {
    const theirs = [...this.#open].filter((each) => each.userId === userId).length
    if (theirs >= streamsPerUserMax || this.#open.size >= streamsMax) {
      const words =
        theirs >= streamsPerUserMax
          ? `You have ${theirs} event streams open. Close one first, or ask without a stream.`
          : 'Too many event streams are open here. Ask without a stream.'
      throw new Problem('rate_limited', words, { retryAfterSeconds: comeAgainSeconds })
    }
    const entry = { stream: new NewsStream(), userId, check }
    this.#open.add(entry)
    entry.stream.once('close', () => this.#open.delete(entry))
    return entry.stream
  }

  tell(news: BenchNews): void {
    for (const { stream } of this.#open) stream.tell(news)
  }

  /** Ends all of them, and clients come again. */
  closeAll(): void {
    for (const { stream } of this.#open) stream.close()
  }

  close(): void {
    clearInterval(this.#timer)
    this.closeAll()
  }

  #beat(): void {
    for (const { stream, check } of this.#open) {
      stream.beat()
      check().catch(() => stream.close())
    }
  }
}
