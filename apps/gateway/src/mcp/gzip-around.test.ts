import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { acceptsGzip, compressMiddle, gzipAround } from './gzip-around.ts'

describe('gzipAround() is one gzip member of the three texts', () => {
  const long = 'a tool and its schema, '.repeat(5_000)

  test.each([
    ['short texts', '{"id":1,', long, '}'],
    ['nothing before', '', long, '}'],
    ['nothing after', '{', long, ''],
    ['an empty middle', '{', '', '}'],
    ['text outside of ASCII', '{"id":"ü€😀",', `${long}é`, '…'],
    ['the longest head', 'x'.repeat(65_535), long, '}'],
  ])('%s', (_name, head, middle, tail) => {
    const pieces = gzipAround(head, compressMiddle(Buffer.from(middle)), tail)
    expect(gunzipSync(Buffer.concat(pieces ?? [])).toString()).toBe(head + middle + tail)
  })

  test('a middle can be used again', () => {
    const middle = compressMiddle(Buffer.from(long))
    for (const head of ['a', 'bc']) {
      const pieces = gzipAround(head, middle, '}') ?? []
      expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe(`${head}${long}}`)
    }
  })

  test('it is undefined when a stored block cannot hold the head', () => {
    expect(gzipAround('x'.repeat(65_536), compressMiddle(Buffer.from(long)), '}')).toBeUndefined()
  })
})

test.each([
  ['gzip', true],
  ['gzip, deflate', true],
  ['br, gzip;q=0.5', true],
  ['deflate,x-gzip', true],
  ['GZIP', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, br', false],
  ['gzip;q=0.05', true],
  ['identity', false],
  ['notgzip', false],
  ['', false],
  [undefined, false],
])('acceptsGzip(%j) is %j', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected)
})
