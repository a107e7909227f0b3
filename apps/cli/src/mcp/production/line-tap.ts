/** A line that is longer is no message that anybody waits for. */
const lineBytesMax = 64_000_000
const newline = 10

/** What is wanted of a line, decided when it begins; undefined: nothing. */
type Wish<W> = () => W | undefined

/** Hears the lines that are wanted of a stream that goes elsewhere, and counts all of them. */
export class LineTap<W> {
  lines = 0
  readonly #wish: Wish<W>
  readonly #hear: (line: string, wish: W, atMs: number) => void
  #isWithin = false
  #wanted: W | undefined
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(wish: Wish<W>, hear: (line: string, wish: W, atMs: number) => void) {
    this.#wish = wish
    this.#hear = hear
  }

  read(bytes: Buffer): void {
    const atMs = performance.now()
    let start = 0
    while (start < bytes.length) {
      if (!this.#isWithin) this.#begin()
      const end = bytes.indexOf(newline, start)
      const part = bytes.subarray(start, end === -1 ? undefined : end)
      if (this.#wanted !== undefined) this.#keep(part)
      if (end === -1) return
      start = end + 1
      this.#end(atMs)
    }
  }

  #begin(): void {
    this.#isWithin = true
    this.#wanted = this.#wish()
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes <= lineBytesMax) this.#pieces.push(part)
    else this.#forget()
  }

  #end(atMs: number): void {
    const [wish, pieces] = [this.#wanted, this.#pieces]
    this.lines++
    this.#isWithin = false
    this.#forget()
    if (wish !== undefined) this.#hear(Buffer.concat(pieces).toString(), wish, atMs)
  }

  #forget(): void {
    this.#wanted = undefined
    this.#pieces = []
    this.#bytes = 0
  }
}
