const chunkBytes = 1 << 18
// https://www.postgresql.org/docs/18/sql-copy.html, Binary Format: signature, flags, length of an extension.
const header = Buffer.from('PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const jsonbVersion = 1

/** Writes rows in PostgreSQL's binary COPY format: each row with its number of fields, then that many fields. */
export class BinaryCopy {
  readonly #full: Buffer[] = []
  #chunk = Buffer.allocUnsafe(chunkBytes)
  #end = header.copy(this.#chunk)

  row(fieldCount: number): void {
    this.#reserve(2)
    this.#end = this.#chunk.writeInt16BE(fieldCount, this.#end)
  }

  text(text: string): void {
    this.#characters(text, 0)
  }

  jsonb(json: string): void {
    this.#characters(json, 1)
  }

  double(number: number): void {
    this.#reserve(12)
    this.#end = this.#chunk.writeInt32BE(8, this.#end)
    this.#end = this.#chunk.writeDoubleBE(number, this.#end)
  }

  /** NULL, if there are none. */
  bytes(bytes: Buffer | null): void {
    this.#reserve(4 + (bytes?.length ?? 0))
    this.#end = this.#chunk.writeInt32BE(bytes?.length ?? -1, this.#end)
    if (bytes !== null) this.#end += bytes.copy(this.#chunk, this.#end)
  }

  /** All rows, in pieces of a few hundred kilobytes. */
  finish(): Buffer[] {
    this.#reserve(2)
    this.#end = this.#chunk.writeInt16BE(-1, this.#end)
    return [...this.#full, this.#chunk.subarray(0, this.#end)]
  }

  #characters(text: string, versionBytes: 0 | 1): void {
    // As UTF-8, a character of JavaScript takes three bytes at most.
    this.#reserve(5 + 3 * text.length)
    const start = this.#end + 4
    if (versionBytes === 1) this.#chunk.writeUInt8(jsonbVersion, start)
    const length = versionBytes + this.#chunk.write(text, start + versionBytes)
    this.#chunk.writeInt32BE(length, this.#end)
    this.#end = start + length
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#chunk.length) return
    this.#full.push(this.#chunk.subarray(0, this.#end))
    this.#chunk = Buffer.allocUnsafe(Math.max(chunkBytes, bytes))
    this.#end = 0
  }
}
