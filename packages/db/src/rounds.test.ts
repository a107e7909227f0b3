import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decodeRounds, encodeRounds } from './rounds.ts'

test.each([1, 10, 64, 65, 5_000])('%i rounds come back as they were', (count) => {
  const rounds = Array.from({ length: count }, (_, index) => 1000 / (index + 3))
  expect(decodeRounds(encodeRounds(rounds))).toEqual(rounds)
})

test('rounds that were stored deflated, as all once were, are still read', () => {
  const bytes = Buffer.alloc(16)
  bytes.writeDoubleLE(12.5, 0)
  bytes.writeDoubleLE(13, 8)
  expect(decodeRounds(deflateRawSync(bytes, { level: 1 }))).toEqual([12.5, 13])
})
