import { expect, test } from 'vitest'
import { createArchiveLinks } from './archive-links.ts'

const links = createArchiveLinks({ baseUrl: 'http://flamegate.test/', signingKey: 's'.repeat(32) })
const archive = {
  key: 'ws_1/fil_1',
  taskId: 'tsk_1',
  md5: 'jp/k05RKuqP3ERQuIIvx4Q==',
  expiresAt: new Date(Date.now() + 60_000),
}
const url = links.urlOf(archive)
const sent = (address: string) => address.replace('http://flamegate.test', '')

test('an address says again what it was made for', () => {
  expect(url).toMatch(/^http:\/\/flamegate\.test\/upload\/ws_1\/fil_1\?/)
  expect(links.read(sent(url))).toEqual(archive)
})

test.each([
  ['another file', 'fil_1', 'fil_2'],
  ['another workspace', 'ws_1', 'ws_2'],
  ['another task', 'tsk_1', 'tsk_2'],
  ['other bytes', 'jp', 'jq'],
  ['a longer life', 'expires=', 'expires=9'],
  ['a folder above', '/ws_1/fil_1', '/ws_1/%2e%2e%2ffil_1'],
  ['no signature', '&signature=', '&s='],
])('one changed to %s allows nothing', (_what, from, to) => {
  expect(links.read(sent(url).replace(from, to))).toBeUndefined()
})

test('one of another key, or that has expired, allows nothing', () => {
  const others = createArchiveLinks({ baseUrl: 'http://flamegate.test', signingKey: 'o'.repeat(32) })
  expect(links.read(sent(others.urlOf(archive)))).toBeUndefined()
  expect(links.read(sent(links.urlOf({ ...archive, expiresAt: new Date(Date.now() - 1) })))).toBeUndefined()
})
