import { expect, test } from 'vitest'
import { judgeReplay } from './judge-replay.ts'

const statuses = [200, 302, 404, 500, 0]

test('replays are judged by what was recorded', () => {
  const table = [undefined, 204, 301, 403, 503, null].map((recorded) => {
    const verdicts = statuses.map(
      (status) => judgeReplay(recorded === undefined ? undefined : { status: recorded }, { status }).verdict,
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

test('assertions say more than statuses', () => {
  expect(judgeReplay({ status: 200 }, { status: 403 }, 'passed').verdict).toBe('ok')
  expect(judgeReplay({ status: 200 }, { status: 200 }, 'failed').verdict).toBe('failed')
})

test('what the cache still has is a success', () => {
  expect(judgeReplay({ status: 200 }, { status: 304 }).verdict).toBe('ok')
  expect(judgeReplay({ status: 304 }, { status: 200 }).verdict).toBe('ok')
})

test('the words tell both statuses', () => {
  expect(judgeReplay({ status: 200 }, { status: 302 }).words).toBe(
    'It answered 302, a redirect, where 200 was recorded: it may be one to the login page.',
  )
  expect(judgeReplay({ status: 201 }, { status: 422 }).words).toBe('It answered 422; recorded was 201.')
})
