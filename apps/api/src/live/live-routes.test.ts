import { connect } from 'node:net'
import { operations, Problem, type Principal } from '@flamegate/contract'
import type { BenchNews } from '@flamegate/operations/ports'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { liveRoutes, type LiveOptions } from './live-routes.ts'

const principal: Principal = {
  userId: 'usr_ada',
  via: 'session',
  clientId: 'web',
  clientName: 'Web',
  scopes: ['read'],
}
let app: FastifyInstance
let url: string
let listener: Parameters<LiveOptions['watch']>[0]
let isSignedIn: boolean
let isProjectThere: boolean
let hasClosed: boolean
const answers: Record<string, object | undefined> = {
  get_bench_result: operations.getBenchResult.examples[0]?.output,
  get_bench_report: operations.getBenchReport.examples[0]?.output,
  list_bench_results: operations.listBenchResults.examples[0]?.output,
}

beforeEach(async () => {
  isSignedIn = true
  isProjectThere = true
  hasClosed = false
  app = fastify({ forceCloseConnections: 'idle' })
  const stores = {
    memberships: { rolesOf: () => Promise.resolve(new Map([['ws_1', 'viewer' as const]])) },
    projects: { find: () => Promise.resolve(isProjectThere ? {} : undefined) },
    benchRuns: {
      find: (_caller: unknown, id: string) =>
        Promise.resolve({ id, state: 'RUNNING' as const, startedAt: new Date(), durationMs: 60_000 }),
    },
  }
  await app.register(
    liveRoutes({
      watch: (heard) => {
        listener = heard
        return Promise.resolve({
          close: () => {
            hasClosed = true
            return Promise.resolve()
          },
        })
      },
      stores,
      identify: () =>
        isSignedIn
          ? Promise.resolve(principal)
          : Promise.reject(new Problem('unauthenticated', 'The session has ended.')),
      execute: (operation) => {
        const answer = answers[operation.id]
        return Promise.resolve({ ...answer, url: '/' })
      },
      docsUrl: '/docs',
      beatMs: 20,
    }),
  )
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => app.close())

/** What a stream says, as text that grows. */
async function listen(path: string) {
  const answer = await fetch(`${url}${path}`)
  const heard = { answer, text: '', isOver: false }
  const read = async () => {
    for await (const part of answer.body ?? []) heard.text += Buffer.from(part).toString()
  }
  void read()
    .catch(() => {})
    .finally(() => {
      heard.isOver = true
    })
  return heard
}

const ofRun = '/v1/bench-results/bnr_01/events'
const within = { timeout: 3_000, interval: 5 }
const became = (state: 'FINISHED' | 'RUNNING', benchResultId = 'bnr_01'): BenchNews => ({
  of: 'run',
  benchResultId,
  projectId: 'prj_01',
  state,
  startedAtMs: Date.now(),
  durationMs: 60_000,
})

test.each([ofRun, '/v1/reports/rep_01/events'])(
  '%s tells how its runs stand and what becomes of them, and ends with them',
  async (path) => {
    const heard = await listen(path)
    expect(heard.answer.status).toBe(200)
    expect(Object.fromEntries(heard.answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    await vi.waitFor(() => expect(heard.text).toContain('"state":"RUNNING"'), within)
    await vi.waitFor(() => expect(heard.text).toContain('\n:\n\n'), within)
    listener.onNews(became('FINISHED', 'bnr_02'))
    listener.onNews(became('FINISHED'))
    await vi.waitFor(() => expect(heard.isOver).toBe(true), within)
    expect(heard.text).toMatch(/"bnr_01","state":"FINISHED"[^\n]+\n\nevent: end\ndata: \{\}\n\n$/)
    expect(heard.text).not.toContain('bnr_02')
  },
)

test('of a project it tells of runs that begin', async () => {
  const heard = await listen('/v1/projects/prj_01/bench-results/events')
  await vi.waitFor(() => expect(heard.text).toContain('event: news'), within)
  listener.onNews(became('RUNNING', 'bnr_02'))
  await vi.waitFor(() => expect(heard.text).toContain('bnr_02'), within)
})

test.each([
  ['the session ends', () => (isSignedIn = false)],
  ['the project is out of reach', () => (isProjectThere = false)],
  ['something may have been missed', () => listener.onMissed()],
])('it ends when %s, so that its client comes again', async (_when, happens) => {
  const heard = await listen(ofRun)
  await vi.waitFor(() => expect(heard.text).toContain('event: news'), within)
  happens()
  await vi.waitFor(() => expect(heard.isOver).toBe(true), within)
  expect(heard.text).not.toContain('event: end')
})

test('who may not read it gets the problem, and nothing stays open', async () => {
  isSignedIn = false
  const refused = await fetch(`${url}${ofRun}`)
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'unauthenticated' }])
})

test('a person has twenty at most, and has room again where one was closed', async () => {
  const open = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const abort = new AbortController()
      await fetch(`${url}${ofRun}`, { signal: abort.signal })
      return abort
    }),
  )
  const refused = await fetch(`${url}${ofRun}`)
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { code: 'rate_limited', retry_after_seconds: 30 },
  ])
  open[0]?.abort()
  await vi.waitFor(async () => {
    const answer = await fetch(`${url}${ofRun}`)
    expect(answer.status).toBe(200)
  }, within)
  for (const abort of open) abort.abort()
})

test('asking for its headers alone opens none', async () => {
  const asked = await Promise.all(
    Array.from({ length: 21 }, () => fetch(`${url}${ofRun}`, { method: 'HEAD' })),
  )
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([404]))
  const abort = new AbortController()
  expect((await fetch(`${url}${ofRun}`, { signal: abort.signal })).status).toBe(200)
  abort.abort()
})

const openConnections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

test('who opens it and reads nothing is hung up on', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET /v1/projects/prj_01/bench-results/events HTTP/1.1\r\nhost: x\r\n\r\n')
  await vi.waitFor(async () => expect(await openConnections()).toBe(1), within)
  // Enough to fill the buffers of both ends.
  const runs = Array.from({ length: 99 }, (_, index) => became('RUNNING', `${'x'.repeat(20_000)}${index}`))
  const filling = setInterval(() => runs.forEach((news) => listener.onNews(news)), 50)
  await vi.waitFor(async () => expect(await openConnections()).toBe(0), { timeout: 20_000, interval: 50 })
  clearInterval(filling)
  socket.destroy()
})

test('the server closes at once, whatever is open', async () => {
  const heard = await listen(ofRun)
  await vi.waitFor(() => expect(heard.text).toContain('event: news'), within)
  const before = performance.now()
  await app.close()
  expect(performance.now() - before).toBeLessThan(5_000)
  expect(hasClosed).toBe(true)
  await vi.waitFor(() => expect(heard.isOver).toBe(true), within)
})
