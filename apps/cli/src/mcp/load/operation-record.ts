import type { McpFailure, McpOperation } from '@flamegate/mcp-profiling'
import { estimatedTokens } from '../estimated-tokens.ts'
import type { CallFailure, WireAnswer } from '../session/wire.ts'
import { DurationCounts } from './histogram.ts'

/** So many results have their tokens estimated; the rest would cost more than it tells. */
const estimatedResultsMax = 20
const messageLengthMax = 300

/** All calls of one operation. */
export class OperationRecord {
  readonly #latency = new DurationCounts()
  readonly #serviceTime = new DurationCounts()
  readonly #firstEvent = new DurationCounts()
  readonly #serverTime = new DurationCounts()
  readonly #requestBytes = new Sizes()
  readonly #resultBytes = new Sizes()
  readonly #resultTokens = new Sizes()
  readonly #failures = new Map<string, McpFailure>()
  readonly #blocks: { sumMs: number; count: number }[]
  #calls = 0

  constructor(blocks: number) {
    this.#blocks = Array.from({ length: blocks }, () => ({ sumMs: 0, count: 0 }))
  }

  /** `latencyMs` counts from when it should have begun. */
  add(answer: WireAnswer, latencyMs: number, block: number): void {
    const { failure, sentAtMs, endedAtMs, firstEventAtMs, serverTimeMs } = answer
    const serviceMs = endedAtMs - sentAtMs
    this.#calls++
    this.#requestBytes.add(answer.requestBytes)
    if (failure !== null) this.#fail(failure)
    if (failure === null || isAnswer(failure)) {
      this.#latency.add(latencyMs)
      this.#serviceTime.add(serviceMs)
      this.#resultBytes.add(answer.resultBytes)
      if (firstEventAtMs !== null) this.#firstEvent.add(firstEventAtMs - sentAtMs)
      if (serverTimeMs !== null) this.#serverTime.add(serverTimeMs)
    }
    if (failure !== null) return
    if (this.#resultTokens.count < estimatedResultsMax) {
      this.#resultTokens.add(estimatedTokens(JSON.stringify(answer.result)))
    }
    const own = this.#blocks[block]
    if (own === undefined) return
    own.sumMs += serviceMs
    own.count++
  }

  toReport({ method, name }: { method: string; name: string | null }): McpOperation {
    return {
      method,
      name,
      calls: this.#calls,
      failures: [...this.#failures.values()].toSorted((a, b) => b.count - a.count),
      latency: this.#latency.toHistogram(),
      serviceTime: this.#serviceTime.toHistogram(),
      firstEvent: this.#firstEvent.toHistogram(),
      serverTime: this.#serverTime.toHistogram(),
      requestBytes: this.#requestBytes.toReport(),
      resultBytes: this.#resultBytes.toReport(),
      resultTokens: this.#resultTokens.count === 0 ? null : this.#resultTokens.toReport(),
      blockMeansMs: this.#blocks.map(({ sumMs, count }) => (count === 0 ? null : sumMs / count)),
    }
  }

  #fail({ kind, code, message }: CallFailure): void {
    const key = `${kind} ${code}`
    const known = this.#failures.get(key)
    if (known !== undefined) known.count++
    else this.#failures.set(key, { kind, code, count: 1, message: message.slice(0, messageLengthMax) })
  }
}

/** The server said something, be it wrong: it has a time. */
export function isAnswer({ kind }: CallFailure): boolean {
  return kind === 'json_rpc' || kind === 'is_error' || kind === 'http'
}

class Sizes {
  count = 0
  #sum = 0
  #max = 0

  add(size: number): void {
    this.count++
    this.#sum += size
    this.#max = Math.max(this.#max, size)
  }

  toReport(): { mean: number; max: number } {
    return { mean: this.count === 0 ? 0 : this.#sum / this.count, max: this.#max }
  }
}
