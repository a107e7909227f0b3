import { createHash } from 'node:crypto'

const hashBytes = 32
const newline = 0x0a

/** How many rows came by, and what they are, whatever their order. */
export interface RowSum {
  rows: number
  /** The SHA-256 of each row, all of them combined by exclusive or; hex. */
  digest: string
}

/**
 * Sums up rows in the text format of COPY, in which each row is a line. The order of rows makes no difference, because a table
 * has none: so what was written is compared with what is there after it was read back, and nothing has to be sorted for it.
 * Rows that are there twice would cancel out; tables with a primary key have none.
 */
export class RowDigest {
  #rows = 0
  #sum = Buffer.alloc(hashBytes)
  /** The row that has begun and not ended yet. */
  #open = createHash('sha256')

  add(bytes: Buffer): void {
    let from = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      this.#open.update(bytes.subarray(from, end))
      this.#close()
      from = end + 1
    }
    if (from < bytes.length) this.#open.update(bytes.subarray(from))
  }

  sum(): RowSum {
    return { rows: this.#rows, digest: this.#sum.toString('hex') }
  }

  #close(): void {
    const hash = this.#open.digest()
    for (let at = 0; at < hashBytes; at++) this.#sum[at] = (this.#sum[at] ?? 0) ^ (hash[at] ?? 0)
    this.#rows += 1
    this.#open = createHash('sha256')
  }
}
