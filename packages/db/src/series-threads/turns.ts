/** Added to the number that is next, there is none left. */
const beyondAll = 2 ** 30

/**
 * Numbers of pieces of work that several threads take in turns: each is taken by one of them, whenever it has nothing else to do.
 * Whoever is late, or busy, takes fewer, or none.
 */
export class Turns {
  /** Which number is the next; then of each thread whether it began to take any. */
  readonly #shared: Int32Array
  readonly #thread: number
  #mine: number | undefined

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.#shared = new Int32Array(memory)
    this.#thread = thread
  }

  static memory(threads: number): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (1 + threads))
  }

  /** Whether a piece is for this thread, which asks of all of them, by rising numbers. */
  readonly isMine = (piece: number): boolean => {
    if (this.#mine === undefined) {
      Atomics.store(this.#shared, 1 + this.#thread, 1)
      this.#mine = Atomics.add(this.#shared, 0, 1)
    }
    if (piece !== this.#mine) return false
    this.#mine = undefined
    return true
  }

  /** Nobody takes any more. */
  close(): void {
    Atomics.add(this.#shared, 0, beyondAll)
  }

  /** After the end: whether a thread may have taken some. Otherwise it never will. */
  hasBegun(thread: number): boolean {
    return Atomics.load(this.#shared, 1 + thread) === 1
  }
}
