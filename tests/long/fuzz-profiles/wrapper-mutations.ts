import { gzipSync, zstdCompressSync } from 'node:zlib'
import { inputBytesMax, joined, type Mutation } from '../fuzzing/mutation.ts'

/** What the reader is told to take at most, decompressed; see `outcomeOf`. */
export const decompressedBytesMax = 4 * 1024 * 1024

/** Four times as much as may come out, of what compresses best: one byte, or a line of a text format. */
const bombs = ['\0', 'a 1\n', '[', '{"a":', '\x0a\x02\x0a\x00'].map((part) =>
  gzipSync(Buffer.alloc(4 * decompressedBytesMax, part)),
)

const gzipped: Mutation = (bytes) => gzipSync(bytes, { level: 1 })

const gzippedTwice: Mutation = (bytes) => gzipSync(gzipSync(bytes, { level: 1 }), { level: 1 })

/** The length at the end, the flags at the start, the checksum, or what is compressed is wrong. */
const damagedGzip: Mutation = (bytes, random) => {
  const packed = new Uint8Array(gzipSync(bytes, { level: 1 }))
  const at = random.pick([random.below(10), packed.length - 1 - random.below(8), random.below(packed.length)])
  packed[at] = random.pick([0, 0xff, 0x7f, random.below(256)])
  return random.below(3) === 0 ? packed.subarray(0, random.below(packed.length)) : packed
}

/** Members one after the other are one file (RFC 1952). */
const gzipMembers: Mutation = (bytes, random) => {
  const at = random.below(bytes.length)
  return joined(
    gzipSync(bytes.subarray(0, at)),
    gzipSync(bytes.subarray(at)),
    bytes.subarray(0, random.below(3)),
  )
}

const bomb: Mutation = (_bytes, random) => random.pick(bombs)

const afterBomb: Mutation = (bytes, random) => joined(gzipSync(bytes), random.pick(bombs))

const zstd: Mutation = (bytes) => zstdCompressSync(bytes)

const manyZstdFrames: Mutation = (bytes, random) => {
  const frame = zstdCompressSync(random.pick([bytes, new Uint8Array()]))
  // No more than are kept: the rest would be memory of this suite, and not of what it tries.
  const length = Math.min(1 + random.mostlySmall(20_000), Math.ceil(inputBytesMax / frame.length))
  return joined(...Array.from({ length }, () => frame))
}

const zstdBomb: Mutation = () => zstdBombBytes

const zstdBombBytes = zstdCompressSync(Buffer.alloc(4 * decompressedBytesMax))

export const wrapperMutations: readonly Mutation[] = [
  gzipped,
  gzippedTwice,
  damagedGzip,
  damagedGzip,
  gzipMembers,
  bomb,
  afterBomb,
  zstd,
  manyZstdFrames,
  zstdBomb,
]
