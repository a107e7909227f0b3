import { expect, test } from 'vitest'
import { judgeReplay, type JudgedAnswer } from './judge-replay.ts'

const shop = 'https://shop.test'

/** An answer with this status, after redirects to these addresses: where it is a redirect itself, the last is where it leads. */
const answer = (status: number | null, ...targets: (string | null)[]): JudgedAnswer => ({
  status,
  url: `${shop}/account`,
  redirects: targets.map((to) => ({ status: 302, to: to === null ? null : new URL(to, shop).href })),
})
const plain = (status: number | null) =>
  status !== null && status >= 300 && status < 400 && status !== 304
    ? answer(status, '/somewhere')
    : answer(status)

const statuses = [200, 302, 404, 500, 0]

test('replays are judged by what was recorded', () => {
  const table = [undefined, 204, 301, 403, 503, null].map((recorded) => {
    const verdicts = statuses.map(
      (status) => judgeReplay(recorded === undefined ? undefined : plain(recorded), plain(status)).verdict,
    )
    return `${recorded}: ${verdicts.join(' ')}`
  })
  //                         200    302    404    500    0
  expect(table).toEqual([
    'undefined: ok ok failed failed failed',
    '204: ok failed failed failed failed',
    '301: failed ok failed failed failed',
    '403: failed failed failed failed failed',
    '503: failed failed failed failed failed',
    'null: ok ok failed failed failed',
  ])
})

test.each([
  ['none recorded, one followed', answer(200), answer(200, '/login'), 'failed'],
  ['one recorded, none now', answer(200, '/catalog'), answer(200), 'failed'],
  ['to the same path', answer(200, '/catalog'), answer(200, '/catalog?welcome=1'), 'ok'],
  ['to another path', answer(200, '/catalog'), answer(200, '/login'), 'failed'],
  ['further than recorded', answer(200, '/catalog'), answer(200, '/catalog', '/login'), 'failed'],
  ['by another way to the same', answer(200, '/welcome', '/catalog'), answer(200, '/catalog'), 'ok'],
  ['to another id', answer(200, '/orders/ord_1f2e3d4c'), answer(200, '/orders/ord_99aa88bb'), 'ok'],
  ['to a list in place of an id', answer(200, '/orders/17'), answer(200, '/orders'), 'failed'],
  ['not followed now, to the same', answer(200, '/welcome', '/catalog'), answer(302, '/welcome'), 'ok'],
  ['not followed now, to another', answer(200, '/welcome', '/catalog'), answer(302, '/login'), 'failed'],
  ['not followed then, to the same', answer(302, '/welcome'), answer(200, '/welcome', '/catalog'), 'ok'],
  ['not followed then, to another', answer(302, '/welcome'), answer(200, '/login'), 'failed'],
  ['not followed, to the same', answer(302, '/welcome'), answer(303, '/welcome'), 'ok'],
  ['not followed, to another', answer(302, '/welcome'), answer(302, '/login'), 'failed'],
  ['to who signs in elsewhere', answer(200, '/'), answer(200, 'https://id.test/'), 'failed'],
  ['from who signs in elsewhere', answer(302, 'https://id.test/in'), answer(302, '/in'), 'failed'],
  ['to www before the same', answer(200, '/a'), answer(200, 'https://www.shop.test/a'), 'ok'],
  ['to where nobody knows', answer(302, null), answer(302, '/login'), 'ok'],
  ['to an error', answer(200, '/catalog'), answer(404, '/catalog'), 'failed'],
])('redirected %s', (_what, recorded, replayed, verdict) => {
  expect(judgeReplay(recorded, replayed).verdict).toBe(verdict)
  expect(judgeReplay(recorded, replayed, 'passed').verdict).toBe('ok')
})

test('a host that stands in for the recorded one is as good', () => {
  const replayed: JudgedAnswer = {
    status: 200,
    url: 'https://staging.test/account',
    redirects: [{ status: 302, to: 'https://staging.test/catalog' }],
  }
  expect(judgeReplay(answer(200, '/catalog'), replayed).verdict).toBe('ok')
  expect(judgeReplay(answer(200, 'https://id.test/catalog'), replayed).verdict).toBe('failed')
})

test('assertions say more than statuses', () => {
  expect(judgeReplay(plain(200), plain(403), 'passed').verdict).toBe('ok')
  expect(judgeReplay(plain(200), plain(200), 'failed').verdict).toBe('failed')
})

test('what the cache still has is a success', () => {
  expect(judgeReplay(plain(200), plain(304)).verdict).toBe('ok')
  expect(judgeReplay(plain(304), plain(200)).verdict).toBe('ok')
})

test('the words tell both ways', () => {
  expect(judgeReplay(answer(200), answer(200, '/login')).words).toBe(
    'It was redirected (302) to /login, where 200 was recorded without a redirect: that may be the login page.',
  )
  expect(judgeReplay(answer(200, '/welcome', '/catalog'), answer(200)).words).toBe(
    'It was not redirected: it answered 200, where the redirect 302 to /catalog was recorded. What it sent may have been refused.',
  )
  expect(judgeReplay(answer(200, '/catalog'), answer(200, '/x', 'https://id.test/login?a=1')).words).toBe(
    'It was redirected (302, 302) to https://id.test/login, where the recording was led to /catalog: that may be the login page, or one that tells of an error.',
  )
  expect(judgeReplay(plain(201), plain(422)).words).toBe('It answered 422; recorded was 201.')
})
