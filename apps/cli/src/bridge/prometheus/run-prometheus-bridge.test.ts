import { once } from 'node:events'
import { createServer } from 'node:http'
import { livePush, type PushOutcome, type ReceivedLivePush } from '@flamegate/live'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest } from '../../testing/run-for-test.ts'
import { testScreen } from '../testing/test-screen.ts'
import { runPrometheusBridge } from './run-prometheus-bridge.ts'

/** A program that answers scrapes with what `text` is. */
async function program(text: string): Promise<{ target: URL; text: string; headers: string[] }> {
  const state = { target: new URL('http://localhost'), text, headers: [] as string[] }
  const server = createServer(({ headers }, response) => {
    state.headers.push(`${headers.accept} ${headers.authorization}`)
    response.writeHead(state.text === '' ? 503 : 200, { 'content-type': 'text/plain' }).end(state.text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  state.target = new URL(`http://ada:s%2Fcret@127.0.0.1:${address.port}/metrics`)
  return state
}

/** A bridge that scrapes every few milliseconds, and a platform that takes every push that it may. */
function bridge(target: URL, answer: () => PushOutcome = () => ({ status: 200 })) {
  const pushes: ReceivedLivePush[] = []
  const { screen, said } = testScreen()
  const interruption = new AbortController()
  const ended = runPrometheusBridge({
    target,
    send: async (push) => {
      const outcome = answer()
      if (outcome.status === 200) pushes.push(livePush.parse(push))
      return outcome
    },
    intervalMs: 20,
    screen,
    interruption: interruption.signal,
  })
  onTestFinished(() => interruption.abort())
  const items = () => pushes.at(-1)?.sections.gauges?.items ?? []
  return { pushes, said, items, ended, interrupt: () => interruption.abort() }
}

const goProgram = (orders: number, startedAt: number, extra = '') => `# TYPE go_info gauge
go_info{version="go1.25.1"} 1
# TYPE process_start_time_seconds gauge
process_start_time_seconds ${startedAt}
# TYPE orders_total counter
orders_total ${orders}
${extra}`

/** Of a program that may not say when it began. */
const counting = (start: number | undefined, count: number) =>
  start === undefined ? `# TYPE orders_total counter\norders_total ${count}` : goProgram(count, start)

test('every series of the target is pushed, and what it is', async () => {
  const scraped = await program(goProgram(5, 1_764_000_000, 'queue_length 3'))
  const { pushes, items, interrupt, ended } = bridge(scraped.target)
  await expect.poll(() => pushes.length).toBeGreaterThan(2)
  scraped.text = goProgram(9, 1_764_000_000)
  await expect.poll(() => items().find(({ id }) => id === 'orders_total')?.counters).toEqual({ added: 9 })
  // What is not told any more is gone.
  expect(items().map(({ id }) => id)).toEqual([
    'go_info{version="go1.25.1"}',
    'process_start_time_seconds',
    'orders_total',
  ])
  interrupt()
  expect(await ended).toBe(0)
  expect(pushes[0]?.program).toEqual({
    name: scraped.target.host,
    source: 'prometheus',
    language: 'go',
    runtime: 'go1.25.1',
    started_at: 1_764_000_000_000,
  })
  expect(new Set(pushes.map(({ session }) => session)).size).toBe(1)
  expect(scraped.headers[0]).toMatch(/^application\/openmetrics-text.* Basic YWRhOnMvY3JldA==$/)
})

test.each([
  ['began at another time', 1_764_000_100, 6],
  ['counts from less, where it is not said when it began', undefined, 2],
])('a target that %s is another session', async (_what, startedAt, orders) => {
  const scraped = await program(counting(startedAt === undefined ? undefined : 1_764_000_000, 5))
  const { pushes, said } = bridge(scraped.target)
  await expect.poll(() => pushes.length).toBeGreaterThan(0)
  scraped.text = counting(startedAt, orders)
  await expect.poll(() => new Set(pushes.map(({ session }) => session)).size).toBe(2)
  expect(pushes.find(({ session }) => session !== pushes[0]?.session)).toMatchObject({
    sequence: 0,
    program: { source: 'prometheus' },
  })
  expect(said()).toContain('It began anew')
})

test('a target that cannot be read is told, and read again when it can be', async () => {
  const scraped = await program(goProgram(5, 1_764_000_000))
  const { pushes, said } = bridge(scraped.target)
  await expect.poll(() => pushes.at(-1)?.sections.gauges?.status).toBe('on')
  scraped.text = ''
  await expect
    .poll(() => pushes.at(-1)?.sections.gauges)
    .toMatchObject({
      status: 'failed',
      reason: 'It answered 503.',
    })
  scraped.text = '<html>'
  await expect
    .poll(() => pushes.at(-1)?.sections.gauges?.reason)
    .toContain('Line 1 is not in the Prometheus text format')
  scraped.text = goProgram(7, 1_764_000_000)
  await expect.poll(() => pushes.at(-1)?.sections.gauges?.status).toBe('on')
  expect(new Set(pushes.map(({ session }) => session)).size).toBe(1)
  expect(said().match(/cannot be read/g)).toHaveLength(2)
})

test('a platform that takes no pushes ends it', async () => {
  const scraped = await program('up 1')
  const { ended, said } = bridge(scraped.target, () => ({ status: 401, reason: 'The token is revoked.' }))
  expect(await ended).toBe(1)
  expect(said()).toContain('The token is revoked.')
})

test.each([
  [[], '--target http://127.0.0.1:9100/metrics'],
  [['--target', 'node'], '--target node is no address'],
  [['--target', 'http://127.0.0.1:1/', '--interval', 'often'], '--interval often is no time'],
])('the command line %j is told what is wrong', async (args, words) => {
  const outcome = await runForTest(['bridge', 'prometheus', '--app', 'app_1', ...args], {
    url: 'http://127.0.0.1:1',
  })
  expect([outcome.exitCode, outcome.error]).toEqual([2, expect.stringContaining(words)])
})
