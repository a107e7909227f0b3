import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { BrokenGzip, NotText, textLines, TooMuchText, type TextLine } from './text-lines.ts'

const limits = { lineCharacters: 20, textBytes: 1000 }

/** The content in pieces, as a storage might give it. */
async function* inPieces(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < content.length; start += size) yield content.subarray(start, start + size)
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<TextLine[]> {
  const lines: TextLine[] = []
  for await (const line of textLines(content, limits)) lines.push(line)
  return lines
}

const read = (content: Uint8Array, size = 7) => readAll(inPieces(content, size))
const textsOf = (lines: TextLine[]) => lines.map((line) => line.text)

describe.each([1, 2, 3, 7, 1000])('in pieces of %i bytes', (size) => {
  test('lines end with LF or CR LF, and the last needs no end', async () => {
    expect(await read(Buffer.from('one\r\n\ntwö\nthree'), size)).toEqual([
      { number: 1, text: 'one', isCut: false },
      { number: 2, text: '', isCut: false },
      { number: 3, text: 'twö', isCut: false },
      { number: 4, text: 'three', isCut: false },
    ])
  })

  test('of a long line the beginning is kept', async () => {
    expect(await read(Buffer.from(`${'x'.repeat(50)}\nshort\n`), size)).toEqual([
      { number: 1, text: 'x'.repeat(20), isCut: true },
      { number: 2, text: 'short', isCut: false },
    ])
  })
})

test('a line as long as the limit is whole', async () => {
  expect(await read(Buffer.from(`${'x'.repeat(20)}\n`))).toEqual([
    { number: 1, text: 'x'.repeat(20), isCut: false },
  ])
})

test('nothing has no lines', async () => {
  expect(await read(Buffer.from(''))).toEqual([])
})

test('gzip reads like what was packed', async () => {
  expect(textsOf(await read(gzipSync('one\ntwo\n')))).toEqual(['one', 'two'])
})

test.each([
  ['a zero byte', Buffer.from('text\n\0more')],
  ['a zero byte in what was packed', gzipSync(Buffer.from('text\n\0more'))],
  ['protocol buffers', Buffer.from([0x0a, 0x04, 0x08, 0x01, 0x10, 0x02, 0x12, 0x07])],
  ['UTF-16', Buffer.from('text', 'utf16le')],
])('%s is not text', async (_what, content) => {
  await expect(read(content)).rejects.toThrow(NotText)
})

test('colours of a terminal are text', async () => {
  expect(textsOf(await read(Buffer.from('\u001B[31mred\u001B[0m\n')))).toEqual(['\u001B[31mred\u001B[0m'])
})

test('gzip that is broken off says so', async () => {
  const whole = gzipSync(Buffer.from(Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')))
  await expect(read(whole.subarray(0, whole.length - 20), 1000)).rejects.toThrow(BrokenGzip)
})

test('a bomb is not unpacked beyond the limit', async () => {
  let given = 0
  const member = gzipSync(Buffer.alloc(10_000_000, 'x\n'))
  // 1 MB that would become 1 GB.
  const packed = Buffer.concat(Array.from({ length: 100 }, () => member))
  async function* bomb() {
    for await (const piece of inPieces(packed, 1024)) {
      given += piece.length
      yield piece
    }
  }
  await expect(readAll(bomb())).rejects.toThrow(TooMuchText)
  expect(given).toBeLessThan(packed.length / 5)
})

test.each([
  ['plain', (text: string) => Buffer.from(text)],
  ['packed', (text: string) => gzipSync(text, { level: 0 })],
])('who stops reading %s content lets go of it', async (_kind, encode) => {
  let isClosed = false
  async function* content() {
    try {
      yield* inPieces(encode('line\n'.repeat(150)), 64)
    } finally {
      isClosed = true
    }
  }
  for await (const line of textLines(content(), limits)) if (line.number === 2) break
  await expect.poll(() => isClosed).toBe(true)
})
