/** Something that waits for a moment. Waits for one at a time. */
export abstract class Timed {
  /** Ticks of the wheel since it began; -1 where it waits for none. */
  dueTick = -1
  nextTimed: Timed | null = null
  previousTimed: Timed | null = null
  /** `now` and the moment that it waited for, as performance.now() tells them. */
  abstract onDue(now: number, due: number): void
}

/** Ticks that have slots of their own; what is further away is met, and passed over, once in so many. */
const slotCount = 2048

/**
 * Waiting of many users with one timer of Node.js (a hashed timing wheel, Varghese and Lauck 1987): to begin and to end a wait
 * are a few assignments. Moments are rounded up to whole milliseconds since the wheel began.
 */
export class TimerWheel {
  readonly #slots: (Timed | null)[] = Array.from({ length: slotCount }, () => null)
  readonly #began = performance.now()
  #tick = 0
  #count = 0
  #timer: NodeJS.Timeout | null = null
  #wakeTick = Infinity
  readonly #turn = () => this.#run()

  /** `at` as performance.now() tells it. */
  add(timed: Timed, at: number): void {
    const tick = Math.max(Math.ceil(at - this.#began), this.#tick + 1)
    const slot = tick & (slotCount - 1)
    const first = this.#slots[slot] ?? null
    timed.dueTick = tick
    timed.previousTimed = null
    timed.nextTimed = first
    if (first !== null) first.previousTimed = timed
    this.#slots[slot] = timed
    this.#count++
    if (tick < this.#wakeTick) this.#wakeAt(tick)
  }

  cancel(timed: Timed): void {
    if (timed.dueTick === -1) return
    const { previousTimed, nextTimed } = timed
    if (previousTimed === null) this.#slots[timed.dueTick & (slotCount - 1)] = nextTimed
    else previousTimed.nextTimed = nextTimed
    if (nextTimed !== null) nextTimed.previousTimed = previousTimed
    timed.previousTimed = null
    timed.nextTimed = null
    timed.dueTick = -1
    this.#count--
  }

  /** When something that waits is due. */
  dueOf(timed: Timed): number {
    return this.#began + timed.dueTick
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#wakeTick = Infinity
  }

  #run(): void {
    this.#timer = null
    this.#wakeTick = Infinity
    const now = performance.now()
    const nowTick = Math.floor(now - this.#began)
    // After a long time without a turn, each slot is looked at once.
    let tick = Math.max(this.#tick + 1, nowTick - slotCount + 1)
    for (; tick <= nowTick; tick++) {
      this.#tick = tick
      let timed = this.#slots[tick & (slotCount - 1)] ?? null
      while (timed !== null) {
        if (timed.dueTick > nowTick) {
          timed = timed.nextTimed
          continue
        }
        const due = this.dueOf(timed)
        this.cancel(timed)
        timed.onDue(now, due)
        // What is due may end others' waiting, also that of the next one here.
        timed = this.#slots[tick & (slotCount - 1)] ?? null
      }
    }
    this.#tick = Math.max(this.#tick, nowTick)
    this.#wakeForNext()
  }

  #wakeForNext(): void {
    if (this.#count === 0) return
    let tick = this.#tick + 1
    const last = this.#tick + slotCount
    while (tick < last && (this.#slots[tick & (slotCount - 1)] ?? null) === null) tick++
    if (tick < this.#wakeTick) this.#wakeAt(tick)
  }

  #wakeAt(tick: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#wakeTick = tick
    this.#timer = setTimeout(this.#turn, Math.max(0, this.#began + tick - performance.now()))
  }
}
