import { letGo, longer } from './columns.ts'
import { sortedRows, type Rows } from './sorted-rows.ts'

/** Rows one after the other, of equal keys too; those are added up when there are so many that it matters. */
export class GrowingRows {
  private count = 0
  private firsts: Int32Array
  private seconds: Int32Array
  private values: Float64Array
  private readonly width: number
  private readonly maxCount: number

  /** `expected`: about how many rows there will be, where it is known. */
  constructor({ width, maxCount, expected = 1024 }: { width: number; maxCount: number; expected?: number }) {
    this.width = width
    this.maxCount = maxCount
    this.firsts = new Int32Array(expected)
    this.seconds = new Int32Array(expected)
    this.values = new Float64Array(expected * width)
  }

  /** Whether there was room for it. */
  add(first: number, second: number, values: Float64Array, firstValue = 0): boolean {
    if (this.count === this.firsts.length) this.makeRoom()
    if (this.count >= this.maxCount) return false
    const row = this.count++
    this.firsts[row] = first
    this.seconds[row] = second
    for (let column = 0; column < this.width; column++) {
      this.values[row * this.width + column] = values[firstValue + column]!
    }
    return true
  }

  get rows(): Rows {
    const { count, width } = this
    return {
      firsts: this.firsts.subarray(0, count),
      seconds: this.seconds.subarray(0, count),
      values: this.values.subarray(0, count * width),
      width,
    }
  }

  /** It is of no use afterwards, and what it gave is empty. */
  letGo(): void {
    letGo(this.firsts, this.seconds, this.values)
  }

  private makeRoom(): void {
    const capacity = this.count
    if (capacity >= worthAddingUp) this.addUpEqual()
    if (this.count <= capacity / 2) return
    this.firsts = longer(this.firsts, new Int32Array(capacity * 2))
    this.seconds = longer(this.seconds, new Int32Array(capacity * 2))
    this.values = longer(this.values, new Float64Array(capacity * 2 * this.width))
  }

  private addUpEqual(): void {
    const { firsts, seconds, columns } = sortedRows(this.rows)
    this.count = firsts.length
    this.firsts.set(firsts)
    this.seconds.set(seconds)
    for (const [column, values] of columns.entries()) {
      for (let row = 0; row < this.count; row++) this.values[row * this.width + column] = values[row]!
    }
  }
}

const worthAddingUp = 2 ** 20
