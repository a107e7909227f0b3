import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { UsageError } from '../usage-error.ts'

/** A file of an archive. */
export interface TarEntry {
  /** With slashes, relative. */
  name: string
  /** Where it is on disk. */
  path: string
  sizeBytes: number
}

const blockBytes = 512
const nameBytesMax = 100

/** Writes a tar.gz. @throws UsageError as `tarOf` */
export async function writeArchive(path: string, entries: readonly TarEntry[]): Promise<void> {
  await pipeline(Readable.from(tarOf(entries)), createGzip(), createWriteStream(path))
}

/**
 * The bytes of a tar archive in the format of POSIX (pax interchange, IEEE 1003.1). Times and owners are left out, so
 * that the same files give the same bytes.
 *
 * @throws UsageError for a file that has another size by now
 */
export async function* tarOf(entries: readonly TarEntry[]): AsyncGenerator<Uint8Array> {
  for (const { name, path, sizeBytes } of entries) {
    if (Buffer.byteLength(name) > nameBytesMax) {
      const record = paxRecord('path', name)
      yield header('pax', record.length, 'x')
      yield padded(record)
    }
    yield header(name, sizeBytes, '0')
    let sentBytes = 0
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      sentBytes += chunk.length
      yield chunk
    }
    if (sentBytes !== sizeBytes) throw new UsageError(`${name}: It changed while it was read.`)
    yield Buffer.alloc(-sizeBytes & (blockBytes - 1))
  }
  yield Buffer.alloc(2 * blockBytes)
}

function header(name: string, sizeBytes: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(blockBytes)
  // A longer name is in the record before, and this one is for who cannot read that.
  block.write(name, 0, nameBytesMax)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${'0'.repeat(11)}\0`, 136)
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** `<length> key=value\n`, whose length counts its own digits too. */
function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`
  let length = Buffer.byteLength(rest)
  while (length !== Buffer.byteLength(`${length}${rest}`)) length = Buffer.byteLength(`${length}${rest}`)
  return Buffer.from(`${length}${rest}`)
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & (blockBytes - 1))])
}
