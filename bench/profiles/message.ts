/** A growing message in the protocol buffer wire format: https://protobuf.dev/programming-guides/encoding/ */
export class Message {
  private bytes = Buffer.allocUnsafe(256)
  private length = 0

  get written(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  clear(): this {
    this.length = 0
    return this
  }

  /** A number without its field, as in a packed list. */
  number(value: number): this {
    this.makeRoom(10)
    let rest = value
    while (rest > 127) {
      this.bytes[this.length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    this.bytes[this.length++] = rest
    return this
  }

  numberField(field: number, value: number): this {
    return this.number(field * 8).number(value)
  }

  bytesField(field: number, content: Uint8Array): this {
    this.number(field * 8 + 2).number(content.length)
    this.makeRoom(content.length)
    this.bytes.set(content, this.length)
    this.length += content.length
    return this
  }

  private makeRoom(size: number): void {
    if (this.length + size <= this.bytes.length) return
    const longer = Buffer.allocUnsafe(Math.max(this.length + size, this.bytes.length * 2))
    longer.set(this.written)
    this.bytes = longer
  }
}
