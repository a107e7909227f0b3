interface LinePair {
  before: number
  after: number
}

/** Lines of a file that are known before and after: code between them moved with them. The start of the file is one of them. */
export class Landmarks {
  /** Lines, in the order of before. */
  private readonly before: Float64Array
  private readonly after: Float64Array
  /** The landmarks in the order of after, and their lines there. */
  private readonly orderAfter: number[]
  private readonly sortedAfter: Float64Array

  /** @param lines 1-based; 0 is not known */
  constructor(lines: readonly LinePair[]) {
    const known = lines.filter(({ before, after }) => before > 0 && after > 0)
    const sorted = [{ before: 0, after: 0 }, ...known].toSorted(
      (a, b) => a.before - b.before || a.after - b.after,
    )
    this.before = Float64Array.from(sorted, ({ before }) => before)
    this.after = Float64Array.from(sorted, ({ after }) => after)
    this.orderAfter = [...sorted.keys()].toSorted((a, b) => this.after[a]! - this.after[b]! || a - b)
    this.sortedAfter = Float64Array.from(this.orderAfter, (landmark) => this.after[landmark]!)
  }

  /** The last landmark up to a line of before. */
  lastBefore(line: number): number {
    return lastUpTo(this.before, line)
  }

  /** The last landmark up to a line of after. */
  lastAfter(line: number): number {
    return this.orderAfter[lastUpTo(this.sortedAfter, line)]!
  }

  /** How many lines a landmark moved; undefined beyond the last one. */
  move(landmark: number): number | undefined {
    return landmark < this.before.length ? this.after[landmark]! - this.before[landmark]! : undefined
  }
}

/** Where the last value is that is not above a limit; the first one never is. */
function lastUpTo(sorted: Float64Array, limit: number): number {
  let [low, high] = [0, sorted.length]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= limit) low = middle
    else high = middle
  }
  return low
}
