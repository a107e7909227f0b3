import { constants, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isZstd, unzstd, unzstdStart } from './zstd.ts'

const texts = ['one, '.repeat(1000), 'two', '']
const frames = texts.map((text) => zstdCompressSync(Buffer.from(text)))
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()

test('frames that follow each other are one content', () => {
  const bytes = Buffer.concat(frames)
  expect(isZstd(bytes)).toBe(true)
  const { content, isWhole } = unzstd(bytes, 10_000)
  expect([textOf(content), isWhole]).toEqual([texts.join(''), true])
})

test('what is before a cut is kept', () => {
  const { content, isWhole } = unzstd(Buffer.concat([frames[0]!, frames[1]!.subarray(0, 8)]), 10_000)
  expect([textOf(content), isWhole]).toEqual([texts[0], false])
  expect(unzstd(Buffer.concat([frames[1]!, Buffer.from('text')]), 10_000).isWhole).toBe(false)
})

test('a content of the largest size is read, and one that is larger is refused', () => {
  const bytes = Buffer.concat(frames.slice(0, 2))
  expect(unzstd(bytes, 5003).content.length).toBe(5003)
  const message = 'the file is larger than 5002 bytes when decompressed'
  expect(() => unzstd(bytes, 5002)).toThrow(message)
  expect(() => unzstd(zstdCompressSync(Buffer.alloc(64 * 1024 * 1024)), 5002)).toThrow(message)
})

test('the start of a content is its first block, however large all of it is', () => {
  expect(textOf(unzstdStart(Buffer.concat(frames)))).toBe(texts[0])
  expect(unzstdStart(zstdCompressSync(Buffer.alloc(64 * 1024 * 1024))).length).toBe(128 * 1024)
  const withAllFields = Buffer.from('many words, '.repeat(50_000))
  const { ZSTD_c_contentSizeFlag, ZSTD_c_checksumFlag, ZSTD_c_windowLog } = constants
  for (const params of [
    { [ZSTD_c_contentSizeFlag]: 0 },
    { [ZSTD_c_checksumFlag]: 1 },
    { [ZSTD_c_windowLog]: 10, [ZSTD_c_contentSizeFlag]: 1 },
  ]) {
    const start = unzstdStart(zstdCompressSync(withAllFields, { params }))
    expect(start.length).toBeGreaterThan(0)
    expect(textOf(start)).toBe(textOf(withAllFields.subarray(0, start.length)))
  }
  expect(unzstdStart(frames[0]!.subarray(0, 9)).length).toBe(0)
})
