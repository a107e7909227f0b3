/** A file of an archive, whose bytes have to be read before the next one is asked for. */
export interface TarEntry {
  name: string
  sizeBytes: number
  body: AsyncIterable<Uint8Array>
}

/** Why an archive could not be read; the message is for whoever sent it. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
  readonly isForOperator = true
}

const blockBytes = 512
const nameBytesMax = 100
/** The size is eleven octal digits. */
const sizeBytesMax = 8 ** 11 - 1

/**
 * The bytes of a tar archive as POSIX writes it (ustar). Names are ours and short; times and owners are left out.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const { name, sizeBytes, body } of entries) {
    yield header(name, sizeBytes)
    let sent = 0
    for await (const chunk of body) {
      sent += chunk.length
      yield chunk
    }
    if (sent !== sizeBytes) throw new Error(`${name} was to have ${sizeBytes} bytes and has ${sent}`)
    yield Buffer.alloc(-sizeBytes & (blockBytes - 1))
  }
  yield Buffer.alloc(2 * blockBytes)
}

/**
 * The files of such an archive, one after the other.
 * @throws ArchiveError when it is damaged or cut off
 */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const pieces = new Pieces(bytes)
  for (;;) {
    const block = await pieces.take(blockBytes)
    // Blocks of zeros end it.
    if (block.every((byte) => byte === 0)) return
    const sizeBytes = Number.parseInt(textOf(block, 124, 12), 8)
    if (textOf(block, 257, 5) !== 'ustar' || sumOf(block) !== Number.parseInt(textOf(block, 148, 8), 8)) {
      throw new ArchiveError('The archive is damaged, or none of a workspace.')
    }
    let left = sizeBytes
    const body = (async function* () {
      while (left > 0) {
        const piece = await pieces.next(left)
        left -= piece.length
        yield piece
      }
    })()
    yield { name: textOf(block, 0, nameBytesMax), sizeBytes, body }
    while (left > 0) left -= (await pieces.next(left)).length
    await pieces.take(-sizeBytes & (blockBytes - 1))
  }
}

/** A stream of which so and so many bytes are taken. */
class Pieces {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Some bytes, at least one and at most so many. */
  async next(bytesMax: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next()
      if (done === true) throw new ArchiveError('The archive is cut off.')
      this.#rest = value
    }
    const piece = this.#rest.subarray(0, bytesMax)
    this.#rest = this.#rest.subarray(piece.length)
    return piece
  }

  async take(bytes: number): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    for (let left = bytes; left > 0;) {
      const piece = await this.next(left)
      pieces.push(piece)
      left -= piece.length
    }
    return Buffer.concat(pieces)
  }
}

function header(name: string, sizeBytes: number): Buffer {
  if (Buffer.byteLength(name) > nameBytesMax) throw new RangeError(`${name} is too long for an archive`)
  if (sizeBytes > sizeBytesMax) throw new RangeError(`${name} is too large for an archive`)
  const block = Buffer.alloc(blockBytes)
  block.write(name, 0)
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${'0'.repeat(11)}\0`, 136)
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** Of all bytes of a header; those of the sum itself count as spaces. */
function sumOf(block: Uint8Array): number {
  return block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

/** What is there up to a NUL. */
function textOf(block: Buffer, start: number, length: number): string {
  const end = block.indexOf(0, start)
  return block.toString('utf8', start, end < 0 || end > start + length ? start + length : end).trim()
}
