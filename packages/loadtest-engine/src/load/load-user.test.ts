import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TargetGate } from '../ports.ts'
import { get, load, users } from '../testing/load.ts'
import { loopbackGate, run } from '../testing/run.ts'
import { startTestServer } from '../testing/test-server.ts'
import type { TestServer } from '../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    '/': (_request, response) => response.end('hello'),
    '/cached': (_request, response) => response.setHeader('cache-control', 'max-age=60').end('cached'),
    '/large-error': (_request, response) => response.writeHead(500).end('x'.repeat(1_000_000)),
    '/raw': (_request, response) =>
      response.writeHead(302, { location: Buffer.from('/größe?q=ü').toString('latin1') }).end(),
    '/gr%C3%B6%C3%9Fe': (_request, response) => response.end('found'),
  })
})
afterAll(() => server.stop())

/** As a check does it: no plain request. */
const asCheck = { resources: { mode: 'parsed' } }
const servers = () => ({ srv: { base_url: server.url } })

test.each([
  ['plain', {}],
  ['as a check sends it', asCheck],
])('of a large answer that fails a request %s, a sample has the beginning', async (_how, more) => {
  const { samples } = await load([get('/large-error', more)], { servers: servers() })
  const body = samples[0]?.exchange?.response?.body
  expect([body?.content?.length, body?.isCut, body?.sizeBytes]).toEqual([100_000, true, 1_000_000])
})

test.each([
  ['plain', {}],
  ['as a check sends it', asCheck],
])('a redirect to an address in raw UTF-8 is followed there: %s', async (_how, more) => {
  const before = server.seen.length
  const sums = await load([get('/raw', more)], { servers: servers() })
  expect(sums.errors('/raw')).toEqual({})
  expect(server.seen.slice(before)).toEqual(['GET /raw', 'GET /gr%C3%B6%C3%9Fe?q=%C3%BC'])
  const { results } = await run([get('/raw')], { servers: servers() })
  expect(results[0]?.failure).toBeNull()
})

const endless = { comparisons: [{ left: '1', operator: 'equals', right: '1' }] }

test.each([
  [{ type: 'loop', count: 'many', actions: [] }, 'The count "many" is no whole number.'],
  [
    { type: 'while', condition: endless, iterations_max: 3, actions: [] },
    'Its condition still held after 3 passes.',
  ],
])('what holds others and fails by itself fails the iteration, and says why: %j', async (inner, words) => {
  const actions = [{ type: 'container', id: 'outer', actions: [{ id: 'inner', ...inner }] }]
  const sums = await load(actions, { model: users(1, 2) })
  expect([sums.profile('iterations'), sums.profile('iterations_failed')]).toEqual([2, 2])
  expect([sums.errors('outer'), sums.errors('inner')]).toEqual([{ other: 2 }, { other: 2 }])
  expect(sums.samples.map(({ action, failure }) => [action, failure])).toEqual([
    [1, words],
    [1, words],
  ])
})

test('arrivals that wait for a user get one when more are allowed', async () => {
  const arrived = Promise.withResolvers<void>()
  const waiting: (() => void)[] = []
  // The first answer comes when the second request has come.
  const pair = await startTestServer({
    '/': (_request, response) => {
      waiting.push(() => response.end())
      arrived.resolve()
      if (waiting.length === 2) for (const answer of waiting) answer()
    },
  })
  try {
    const due = [0, 0].values()
    const sums = await load([get('/')], {
      servers: { srv: { base_url: pair.url } },
      model: { type: 'open', nextArrivalMs: () => due.next().value ?? Infinity, usersMax: 1 },
      with: (generator) => void arrived.promise.then(() => generator.setWantedUsers(0, () => 0, 2)),
      durationMs: 10_000,
      drainMs: 0,
    })
    expect([sums.counter('/', 'count'), sums.errors('/')]).toEqual([2, {}])
  } finally {
    await pair.stop()
  }
})

test('users who ask for nothing but what their cache has end when they are to', async () => {
  const sums = await load([get('/cached')], {
    servers: servers(),
    document: { cache: { clear_each_iteration: false } },
    model: users(1),
    durationMs: 500,
  })
  expect(sums.counter('/cached', 'count')).toBe(1)
})

test.each([
  ['plain', {}],
  ['as a check sends it', asCheck],
])('what comes before a request is sent is no service time: %s', async (_how, more) => {
  const waitMs = 50
  const gate: TargetGate = {
    resolve: async (host, port) => {
      await new Promise((go) => setTimeout(go, waitMs))
      return loopbackGate.resolve(host, port)
    },
  }
  const sums = await load([get('/', more)], { servers: servers(), gate })
  const before = sums.percentile('/', 'responseTime', 1) - sums.percentile('/', 'serviceTime', 1)
  // Timers may be a little early.
  expect(before).toBeGreaterThan(waitMs - 5)
})
