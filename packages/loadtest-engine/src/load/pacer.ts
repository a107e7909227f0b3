/** Arrivals that are begun before others have their turn. */
const arrivalsInARow = 500
/** What is nearer than this is waited for awake, because a timer of Node.js is a millisecond late or more. */
const awakeMs = 2

/**
 * Begins arrivals when they are due: sleeps while the next one is far away, and looks at the clock in every turn of the event loop
 * when it is near. What is due is begun even when it is late; nothing is left out.
 */
export class Pacer {
  readonly #nextArrivalMs: () => number
  readonly #begin: (due: number, now: number) => void
  readonly #onEnd: () => void
  readonly #turn = () => this.#run()
  #zero = 0
  #due = Infinity
  #isStopped = false
  #sleeping: NodeJS.Timeout | undefined
  #waking: NodeJS.Immediate | undefined
  #lastIdleTurn = 0
  /** Milliseconds that it was awake for nothing, which is no work of the generator. */
  idleMs = 0

  /** `nextArrivalMs`: rising milliseconds since the start; Infinity when there are no more, after which `onEnd` is called. */
  constructor(nextArrivalMs: () => number, begin: (due: number, now: number) => void, onEnd: () => void) {
    this.#nextArrivalMs = nextArrivalMs
    this.#begin = begin
    this.#onEnd = onEnd
  }

  /** `zero`: the start, as performance.now() tells it. */
  start(zero: number): void {
    this.#zero = zero
    this.#takeNext()
    this.#run()
  }

  /** Other arrivals are due from now on: the next one is asked for anew. */
  renew(): void {
    if (this.#isStopped) return
    clearTimeout(this.#sleeping)
    clearImmediate(this.#waking)
    const now = performance.now()
    // It was due before the others were.
    if (this.#due <= now) this.#begin(this.#due, now)
    this.#takeNext()
    this.#run()
  }

  stop(): void {
    this.#isStopped = true
  }

  #takeNext(): void {
    this.#due = this.#zero + this.#nextArrivalMs()
  }

  #run(): void {
    if (this.#isStopped) return
    const now = performance.now()
    if (this.#due > now) {
      // Turns in which nothing else happened follow one another at once.
      if (now - this.#lastIdleTurn < 0.05) this.idleMs += now - this.#lastIdleTurn
      this.#lastIdleTurn = now
    } else {
      let moment = now
      for (let count = 0; this.#due <= moment && count < arrivalsInARow; count++) {
        this.#begin(this.#due, moment)
        this.#takeNext()
        moment = performance.now()
      }
    }
    if (this.#due === Infinity) this.#onEnd()
    else if (this.#due - now > awakeMs) this.#sleeping = setTimeout(this.#turn, this.#due - now - awakeMs)
    else this.#waking = setImmediate(this.#turn)
  }
}
