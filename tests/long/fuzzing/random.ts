/** Numbers that look random and are the same for the same seed. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to and without 1. Mulberry32, by Tommy Ettinger. */
  share(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** From 0 up to and without `end`; 0 when that is none. */
  below(end: number): number {
    return Math.floor(this.share() * end)
  }

  /** A whole number that is small more often than large: each power of two below `end` has the same chance. */
  mostlySmall(end: number): number {
    return this.below(Math.min(end, 2 ** this.below(Math.ceil(Math.log2(Math.max(2, end))) + 1)))
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError('There is nothing to pick from')
    return item
  }
}

/** A seed of its own for each text, such as `7 pprof 1234`. FNV-1a. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
