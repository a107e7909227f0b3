import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { PprofReader } from './formats/pprof-reader.ts'
import { readProfile, readProfileInPieces } from './index.ts'
import { sample } from './testing/samples.ts'
import { packed } from './testing/write-pprof.ts'

const goHeap = gunzipSync(sample('pprof/go-heap.pb.gz'))

/** A field that nobody knows makes it large; it does not deflate. */
const filling = randomBytes(1_500_000)
const large = Buffer.concat([goHeap, packed(100 * 8 + 2, filling.length), filling])

test.each([1, 7, 1000, 100_000])('a file that comes in pieces of %i bytes is the same profile', (size) => {
  const reader = new PprofReader({})
  // The same memory for each, as from a stream.
  const piece = new Uint8Array(size)
  for (let start = 0; start < goHeap.length; start += size) {
    const bytes = goHeap.subarray(start, start + size)
    piece.set(bytes)
    reader.push(piece.subarray(0, bytes.length))
  }
  expect(reader.finish()).toEqual(readProfile(goHeap))
})

test('a file that is cut off in pieces says where, as one that is read at once', () => {
  const reader = new PprofReader({})
  reader.push(goHeap.subarray(0, 5000))
  reader.push(goHeap.subarray(5000, 8000))
  const cut = () => readProfile(goHeap.subarray(0, 8000))
  expect(cut).toThrow(/cut off.*at byte \d+/)
  expect(() => reader.finish()).toThrow(messageOf(cut))
})

test.each([
  ['a large file', large, {}],
  ['a large file whose format is told', large, { format: 'pprof' as const }],
  ['a small file', goHeap, {}],
])('%s is read as readProfile does', async (_, raw, options) => {
  expect(await readProfileInPieces(inPieces(gzipSync(raw)), options)).toEqual(
    readProfile(gzipSync(raw), options),
  )
  expect(await readProfileInPieces(inPieces(raw), options)).toEqual(readProfile(raw, options))
})

test('a large file of another format is read, too', async () => {
  const lines = Array.from({ length: 40_000 }, () => `main;${randomBytes(24).toString('hex')} 1`)
  const bytes = gzipSync(lines.join('\n'))
  expect(bytes.length).toBeGreaterThan(2 ** 20)
  expect(await readProfileInPieces(inPieces(bytes))).toEqual(readProfile(bytes))
})

const gzipped = gzipSync(large)
const damaged = Uint8Array.from(gzipped, (byte, index) => (index > 700_000 && index < 700_100 ? 255 : byte))

test.each([
  ['cut off', gzipped.subarray(0, gzipped.length - 1000), {}],
  ['damaged', damaged, {}],
  ['larger than allowed', gzipped, { maxDecompressedBytes: 1_000_000 }],
  ['of another format than was told', gzipped, { format: 'jfr' as const }],
])('a large file that is %s is refused as readProfile does', async (_, bytes, options) => {
  const message = messageOf(() => readProfile(bytes, options))
  await expect(readProfileInPieces(inPieces(bytes), options)).rejects.toThrow(message)
})

test('what goes wrong where the file comes from is no fault of the file', async () => {
  const lost = new Error('The connection was lost')
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield* inPieces(gzipped.subarray(0, 1_200_000))
    throw lost
  }
  await expect(readProfileInPieces(failing())).rejects.toBe(lost)
})

test('where a file comes from is closed, however far it was read', async () => {
  for (const bytes of [gzipped, damaged, goHeap, Buffer.alloc(2_000_000)]) {
    let isClosed = false
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* inPieces(bytes)
      } finally {
        isClosed = true
      }
    }
    await readProfileInPieces(source()).catch(() => undefined)
    expect(isClosed).toBe(true)
  }
})

/** As a storage gives them. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  throw new Error('It was read')
}
