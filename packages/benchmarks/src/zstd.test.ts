import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decompressZstd } from './zstd.ts'

const frames = ['first ', 'second ', 'third'].map((text) => zstdCompressSync(text))
const text = (content: Uint8Array) => new TextDecoder().decode(content)

test('frames that follow each other are all read', () => {
  const { content, isWhole } = decompressZstd(Buffer.concat(frames), 1000)
  expect([text(content), isWhole]).toEqual(['first second third', true])
})

test('of a file that is cut or damaged the beginning is read, and it says so', () => {
  const cut = decompressZstd(Buffer.concat(frames).subarray(0, -3), 1000)
  expect([text(cut.content).slice(0, 13), cut.isWhole]).toEqual(['first second ', false])
  const damaged = decompressZstd(Buffer.concat([...frames.slice(0, 2), Buffer.from('no frame')]), 1000)
  expect([text(damaged.content), damaged.isWhole]).toEqual(['first second ', false])
})

test('a cut frame gives the blocks that are whole', () => {
  // A block has at most 128 kB, and these letters do not compress into one.
  const letters = Array.from({ length: 300_000 }, (_, at) => String.fromCharCode(97 + ((at * at) % 26))).join(
    '',
  )
  const whole = zstdCompressSync(letters)
  const { content, isWhole } = decompressZstd(whole.subarray(0, whole.length - 2), 1_000_000)
  expect(isWhole).toBe(false)
  expect(content.length).toBeGreaterThan(0)
  expect(letters.startsWith(text(content))).toBe(true)
})

test('the limit is for all frames together', () => {
  expect(() => decompressZstd(Buffer.concat(frames), 10)).toThrow(RangeError)
  expect(() => decompressZstd(Buffer.concat(Array(10_001).fill(zstdCompressSync(''))), 10)).toThrow(
    /more than 10000 frames/,
  )
})
