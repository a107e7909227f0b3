import { expect, test } from 'vitest'
import { rankTest } from '../long/isolation/rank-test.ts'
import { nobodys } from '../system/isolation/attacks.ts'
import type { Loot } from '../system/isolation/loot.ts'
import type { Reply } from '../system/isolation/tenant.ts'
import { compared } from '../system/isolation/try-attack.ts'

// Whether the harness of `npm run long -- isolation` would see what it looks for.

const theirs = 'run_01aaaaaaaaaaaaaaaaaaaaaaaa'
const alsoTheirs = 'prj_01bbbbbbbbbbbbbbbbbbbbbbbb'
const loot: Loot = {
  canary: 'kanarienvogel',
  ids: new Set([theirs, alsoTheirs]),
  handles: new Set(),
  secrets: new Set(['fg_of_somebody_else_entirely']),
  planted: new Set(),
  stored: new Set(),
}

const reply = (status: number, raw: string): Reply => ({ status, code: undefined, body: raw, raw })

function tried(answer: (sent: string) => Reply, mayBeOwn = false): Promise<string | undefined> {
  return compared(
    'here',
    loot,
    theirs,
    () => nobodys(theirs),
    async (sent) => answer(sent),
    mayBeOwn,
  )
}

test('nothing is found where both are refused in the same words', async () => {
  expect(
    await tried((sent) => reply(404, `No run ${sent} in your workspaces. ${crypto.randomUUID()}`)),
  ).toBeUndefined()
})

test.each([
  ['another id', (sent: string) => reply(404, `${sent} belongs to ${alsoTheirs}`), alsoTheirs],
  ['a text', () => reply(200, '{"name":"kanarienvogel 7"}'), 'kanarienvogel'],
  ['a secret', () => reply(200, 'fg_of_somebody_else_entirely'), 'fg_of_somebody'],
  ['a fault', () => reply(500, '{}'), '500'],
  ['other words', (sent: string) => reply(404, sent === theirs ? 'Not yours.' : 'Not there.'), 'Not yours'],
  ['another status', (sent: string) => reply(sent === theirs ? 403 : 404, '{}'), 'answered'],
])('what comes back is found: %s', async (_name, answer, told) => {
  expect(await tried(answer)).toContain(told)
})

test('what a call changed of one’s own things is not taken for a difference', async () => {
  let calls = 0
  expect(await tried(() => reply(calls++ === 0 ? 200 : 409, '{}'))).toBeUndefined()
})

test('what may be a name of one’s own may be answered otherwise, and still tells nothing of the other’s', async () => {
  expect(await tried((sent) => reply(sent === theirs ? 409 : 201, '{}'), true)).toBeUndefined()
  expect(await tried(() => reply(200, `of ${alsoTheirs}`), true)).toContain(alsoTheirs)
  expect(await tried(() => reply(500, '{}'), true)).toContain('500')
})

test('of an address that is nobody’s the words stay that all of its kind have', () => {
  const address = 'https://flamegate.example/v1/badges/deadbeefcafe.svg'
  expect(nobodys(address)).toMatch(/^https:\/\/flamegate\.example\/v1\/badges\/[0-9a-z]{12}\.svg$/)
  expect(nobodys(address)).not.toBe(address)
})

test('nor what a word of one’s own happens to be like', async () => {
  let calls = 0
  expect(
    await tried(() => reply(404, `Not there.${calls++ === 1 ? ' Near to it: route.' : ''}`)),
  ).toBeUndefined()
})

test('what is nobody’s has the same form', () => {
  expect(nobodys(theirs)).toMatch(/^run_[0-9a-z]{26}$/)
  expect(nobodys(theirs)).not.toBe(theirs)
  expect(nobodys('users.csv')).not.toBe('users.csv')
  expect(nobodys('users.csv')).toHaveLength(9)
})

const around = (middle: number) =>
  Array.from({ length: 200 }, (_, index) => middle + ((index * 37) % 100) / 10)

test('times that differ are told from those that do not', () => {
  const same = rankTest(around(10), around(10))
  expect(same.delta).toBe(0)
  expect(same.p).toBeCloseTo(1)
  const slower = rankTest(around(15), around(10))
  expect(slower.delta).toBeGreaterThan(0.33)
  expect(slower.p).toBeLessThan(1e-6)
  // By R: wilcox.test(c(1, 4, 6, 9, 12), c(2, 3, 5, 7, 8), exact = FALSE, correct = FALSE)
  const small = rankTest([1, 4, 6, 9, 12], [2, 3, 5, 7, 8])
  expect(small.delta).toBeCloseTo(0.2)
  expect(small.p).toBeCloseTo(0.6015, 3)
})
