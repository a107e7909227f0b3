import type { CallFailure, WireAnswer } from './wire.ts'

/** How often is looked for calls that took too long; a timer for each would cost more than most calls. */
const lookEveryMs = 100

interface Pending {
  sentAtMs: number
  requestBytes: number
  end: (answer: WireAnswer) => void
}

/** Calls without an answer yet, by id. */
export class PendingCalls {
  readonly #pending = new Map<number, Pending>()
  readonly #timeoutMs: number
  readonly #onTimeout: (id: number) => void
  readonly #timer: NodeJS.Timeout

  /** `onTimeout` is told after its call has ended so. */
  constructor(timeoutMs: number, onTimeout: (id: number) => void = () => {}) {
    this.#timeoutMs = timeoutMs
    this.#onTimeout = onTimeout
    this.#timer = setInterval(() => this.#endLate(), lookEveryMs).unref()
  }

  has(id: number): boolean {
    return this.#pending.has(id)
  }

  /** Begins now. */
  begin(id: number, requestBytes: number): Promise<WireAnswer> {
    return new Promise((end) => {
      this.#pending.set(id, { sentAtMs: performance.now(), requestBytes, end })
    })
  }

  end(id: number, answer: Omit<WireAnswer, 'sentAtMs' | 'requestBytes'>): void {
    const call = this.#pending.get(id)
    if (call === undefined) return
    this.#pending.delete(id)
    const { sentAtMs, requestBytes } = call
    call.end({ sentAtMs, requestBytes, ...answer })
  }

  fail(id: number, failure: CallFailure): void {
    this.end(id, {
      endedAtMs: performance.now(),
      firstEventAtMs: null,
      serverTimeMs: null,
      resultBytes: 0,
      result: undefined,
      failure,
    })
  }

  failAll(failure: CallFailure): void {
    for (const id of this.#pending.keys()) this.fail(id, failure)
  }

  close(): void {
    clearInterval(this.#timer)
    this.failAll({ kind: 'transport', code: null, message: 'The measurement was ended.' })
  }

  #endLate(): void {
    const before = performance.now() - this.#timeoutMs
    for (const [id, { sentAtMs }] of this.#pending) {
      // In the order of sending: later ones have time left.
      if (sentAtMs > before) return
      this.fail(id, { kind: 'timeout', code: null, message: `No answer in ${this.#timeoutMs / 1000} s.` })
      this.#onTimeout(id)
    }
  }
}
