import { expect, test } from 'vitest'
import { groupByCause, type JudgedResult } from './group-by-cause.ts'

const result = (actionId: string, rest: Partial<JudgedResult>): JudgedResult => ({
  actionId,
  type: 'http_request',
  name: actionId,
  outcome: 'failed',
  status: null,
  assertions: [],
  extractors: [],
  failure: null,
  ...rest,
})

const draw = (results: JudgedResult[]) =>
  groupByCause(results).map(({ cause, count, actionIds }) => `${cause} ${count}: ${actionIds.join(' ')}`)

test('failures are grouped by their cause, what failed first in front', () => {
  expect(
    draw([
      result('home', { outcome: 'passed', status: 200 }),
      result('login', { status: 403, failure: 'expected status 2xx, got 403' }),
      result('flow', { type: 'container' }),
      result('order', { status: 404 }),
      result('account', { status: 403 }),
      result('login', { status: 403 }),
      result('report', { status: 500 }),
      result('off', { outcome: 'skipped' }),
    ]),
  ).toEqual(['stale_value 3: login account', 'not_found 1: order', 'server_error 1: report'])
})

test.each([
  ['refused_target', 'The target shop.example.com is not verified.'],
  ['refused_target', 'The address 10.0.0.1 is not allowed.'],
  ['missing_variable', 'Unknown variable ${token}'],
  ['timeout', 'It timed out after 30000 ms.'],
  ['no_connection', 'connect ECONNREFUSED 127.0.0.1:80'],
  ['missing_file', 'There is no file uploads/a.png in the project.'],
  ['refused_target', 'shop.example.com is no verified target.'],
  ['refused_target', 'shop.example.com: The address is not on the public internet.'],
  ['missing_file', 'The file users.csv does not exist in this project. Upload it, or name another one.'],
  ['earlier_failure', 'No WebSocket is connected under the name default.'],
  ['timeout', 'GET /: It took too long to connect: more than 30 ms.'],
  ['no_connection', 'GET /: The connection was refused: nothing listens there.'],
  ['no_connection', 'GET /: The certificate has expired. (CERT_HAS_EXPIRED)'],
  ['other', 'Something else'],
])('%s is known by its words: %s', (cause, failure) => {
  expect(groupByCause([result('a', { failure })])[0]?.cause).toBe(cause)
})

test('each missing variable is a group of its own', () => {
  const groups = groupByCause([
    result('a', { failure: 'The variable token has no value.' }),
    result('b', { failure: 'The variable id has no value.' }),
    result('c', { failure: 'The variable token has no value.' }),
  ])
  expect(groups.map(({ cause, actionIds }) => [cause, actionIds])).toEqual([
    ['missing_variable', ['a', 'c']],
    ['missing_variable', ['b']],
  ])
})

test('what an extractor or an assertion missed is told where the status is good', () => {
  const groups = groupByCause([
    result('a', { status: 200, extractors: [{ variable: 'csrf', outcome: 'missing' }] }),
    result('b', { status: 200, assertions: [{ outcome: 'failed', message: 'no Welcome in it' }] }),
    result('c', { status: 302 }),
  ])
  expect(groups.map(({ cause }) => cause)).toEqual(['missing_extraction', 'assertion', 'redirected'])
  expect(groups[1]?.words).toBe('no Welcome in it')
  expect(groups[0]?.advice).not.toBe('')
})

test('another way than was recorded is a cause of its own, whatever address its words hold', () => {
  const words = 'It was redirected (302) to /connect/timed-out, where 200 was recorded without a redirect.'
  const groups = groupByCause([
    result('a', { status: 200, failure: words }),
    result('b', { status: 200, failure: 'It was not redirected: it answered 200.' }),
  ])
  expect(groups.map(({ cause, actionIds }) => [cause, actionIds])).toEqual([['redirected', ['a', 'b']]])
})
