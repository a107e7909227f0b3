import type { RequestRow } from '@flamegate/loadtest/request-log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { get, load, users } from '../testing/load.ts'
import { startTestServer } from '../testing/test-server.ts'
import type { TestServer } from '../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    '/': (_request, response) => response.end('hello'),
    '/moved': (_request, response) => response.writeHead(302, { location: '/' }).end(),
    '/error': (_request, response) => response.writeHead(503).end('overloaded'),
    '/reset': (request) => request.socket.resetAndDestroy(),
    '/late': (_request, response) => void setTimeout(() => response.end('late'), 20),
  })
})
afterAll(() => server.stop())

test('each action that holds none is a row that says what is counted of it', async () => {
  const rows: RequestRow[] = []
  const actions = [
    { type: 'container', id: 'box', name: 'box', actions: [get('/'), get('/late')] },
    get('/moved'),
    get('/error', { path: '/error?token=${key}&other=${plain}' }),
    get('/reset'),
    { type: 'set_variable', id: 'set', variable: 'a', value: 'b' },
    // No plain request: done as a check does it.
    get('/digest', { path: '/', resources: { mode: 'parsed' } }),
  ]
  const found = await load(actions, {
    servers: { srv: { base_url: server.url } },
    variables: [
      { type: 'constant', name: 'plain', value: 'p1' },
      { type: 'secret', name: 'key' },
    ],
    secrets: { key: 'k3y-secret' },
    model: users(4, 5),
    requestLog: { add: (row) => void rows.push(row) },
  })
  // In the order of the actions, of which the box is the first, and has no row.
  const ids = ['/', '/late', '/moved', '/error', '/reset', 'set', '/digest']
  for (const [place, id] of ids.entries()) {
    const own = rows.filter(({ action }) => action === place + 1)
    const sum = (field: 'sentBytes' | 'receivedBytes') => own.reduce((bytes, row) => bytes + row[field], 0)
    expect([id, own.length]).toEqual([id, found.counter(id, 'count')])
    expect([id, sum('sentBytes'), sum('receivedBytes')]).toEqual([
      id,
      found.counter(id, 'sent_bytes'),
      found.counter(id, 'received_bytes'),
    ])
    const answered = own.filter(({ serviceUs }) => serviceUs >= 0)
    expect([id, answered.length]).toEqual([id, found.recorded(id, 'serviceTime')])
  }
  expect(rows).toHaveLength(ids.length * 20)
  const of = (id: string) => rows.filter(({ action }) => action === ids.indexOf(id) + 1)
  expect(of('/')[0]).toMatchObject({ status: 200, errorClass: '', failure: '', url: `${server.url}/` })
  expect(of('/late').every(({ responseUs, endUs }) => responseUs > 19_000 && endUs > responseUs)).toBe(true)
  expect(of('/error')[0]).toMatchObject({ status: 503, errorClass: 'status_5xx' })
  expect(of('/error')[0]?.failure).not.toBe('')
  expect(of('/error')[0]?.url).toMatch(/\/error\?token=[^k&]*&other=p1$/)
  expect(of('/reset')[0]).toMatchObject({ status: 0, errorClass: 'reset', serviceUs: -1, downloadUs: -1 })
  expect(of('/digest')[0]?.url).toBe(`${server.url}/`)
  expect(new Set(rows.map(({ user }) => user))).toEqual(new Set([0, 1, 2, 3]))
  expect(Math.max(...rows.map(({ iteration }) => iteration))).toBe(4)
  expect(Math.max(...rows.map(({ allUsers }) => allUsers))).toBe(4)
  expect(JSON.stringify(rows)).not.toContain('k3y-secret')
})
