import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createArgumentsDigest } from './arguments-digest.ts'

const digest = (input: unknown, workspaceId: string | null = 'ws_1', key = 'key') =>
  createArgumentsDigest(key)(workspaceId, input)

test('the same arguments have the same digest, in whatever order they were written', () => {
  expect(digest({ b: [1, { d: 'x', c: null }], a: true })).toBe(
    digest({ a: true, b: [1, { c: null, d: 'x' }] }),
  )
  expect(digest(undefined)).toBe(digest({}))
  expect(digest({ a: undefined })).toBe(digest({}))
})

test('other arguments, another workspace and another installation have another digest', () => {
  const digests = [
    digest({ a: 1 }),
    digest({ a: '1' }),
    digest({ a: [1] }),
    digest({ a: 1 }, 'ws_2'),
    digest({ a: 1 }, null),
    digest({ a: 1 }, 'ws_1', 'other'),
  ]
  expect(new Set(digests).size).toBe(digests.length)
})

test('it is the HMAC of the canonical JSON, and not a plain hash that could be tried out', () => {
  const workspaceKey = createHmac('sha256', 'key').update('ws_1').digest()
  expect(digest({ z: 1.5, a: 'é"' })).toBe(
    createHmac('sha256', workspaceKey).update('{"a":"é\\"","z":1.5}').digest('hex'),
  )
})

test('what is nested without end has none, and does no harm', () => {
  let nested: unknown = []
  for (let depth = 0; depth < 200_000; depth += 1) nested = [nested]
  expect(digest(nested)).toBeNull()
})
