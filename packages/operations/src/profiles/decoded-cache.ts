/** What was decoded, up to so many nodes or rows in all; the least used go first. */
export class DecodedCache<T extends object> {
  private readonly entries = new Map<string, T>()
  private readonly sizeMax: number
  private readonly sizeOf: (value: T) => number

  constructor(sizeMax: number, sizeOf: (value: T) => number) {
    this.sizeMax = sizeMax
    this.sizeOf = sizeOf
  }

  /** What is known under the id, or what is read now. Nothing is remembered of what is not there. */
  async get(id: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.entries.get(id)
    if (known !== undefined) {
      this.entries.delete(id)
      this.entries.set(id, known)
      return known
    }
    const value = await read()
    if (value === undefined) return undefined
    this.entries.set(id, value)
    this.evict()
    return value
  }

  private evict(): void {
    let size = 0
    for (const value of this.entries.values()) size += this.sizeOf(value)
    for (const [id, value] of this.entries) {
      if (size <= this.sizeMax || this.entries.size === 1) return
      this.entries.delete(id)
      size -= this.sizeOf(value)
    }
  }
}
