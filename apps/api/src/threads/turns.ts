/** Lets one piece of work in after the other. */
export class Turns {
  private readonly waiting: (() => void)[] = []
  private readonly most: number
  private readonly tooMany: () => Error
  private isTaken = false

  /** `most`: how many there may be, with the one at work. `tooMany`: what the next one hears. */
  constructor(most: number, tooMany: () => Error) {
    this.most = most
    this.tooMany = tooMany
  }

  /** Whoever is not waited for any more gives up their place; what has begun is finished. */
  async take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.isTaken) await this.turn(signal)
    this.isTaken = true
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.isTaken = false
      else next()
    }
  }

  private async turn(signal?: AbortSignal): Promise<void> {
    if (this.waiting.length + 1 >= this.most) throw this.tooMany()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      const place = this.waiting.indexOf(resolve)
      // Whose turn has come already stays.
      if (place < 0) return
      this.waiting.splice(place, 1)
      reject(signal?.reason)
    }
    this.waiting.push(resolve)
    signal?.addEventListener('abort', leave)
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }
}
