import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { livePush, type PushOutcome, type ReceivedLivePush } from '@flamegate/live'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest } from '../../testing/run-for-test.ts'
import { testScreen } from '../testing/test-screen.ts'
import { runOtlpBridge } from './run-otlp-bridge.ts'

const program = join(import.meta.dirname, '../../../../../packages/live/src/otlp/testing/sdk-program.ts')
const run = promisify(execFile)

async function bridge(answer: () => PushOutcome = () => ({ status: 200 })) {
  const pushes: ReceivedLivePush[] = []
  const { screen, said } = testScreen()
  const interruption = new AbortController()
  const listening = Promise.withResolvers<number>()
  const ended = runOtlpBridge({
    host: '127.0.0.1',
    port: 0,
    send: async (push) => {
      const outcome = answer()
      if (outcome.status === 200) pushes.push(livePush.parse(push))
      return outcome
    },
    screen,
    interruption: interruption.signal,
    onListening: listening.resolve,
  })
  onTestFinished(() => interruption.abort())
  const url = `http://127.0.0.1:${await listening.promise}`
  return { url, pushes, said, ended, interrupt: () => interruption.abort() }
}

const post = (url: string, body: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

const metric = (service: string) =>
  JSON.stringify({
    resourceMetrics: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
        scopeMetrics: [{ metrics: [{ name: 'g', gauge: { dataPoints: [{ asInt: '3' }] } }] }],
      },
    ],
  })

test.each(['http/protobuf', 'http/json'])(
  'a program with the official SDK exports by %s, and all of it is pushed',
  async (protocol) => {
    const { url, pushes, ended, interrupt } = await bridge()
    const { stderr } = await run(process.execPath, [program], {
      env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol },
    })
    expect(stderr).toBe('')
    interrupt()
    expect(await ended).toBe(0)
    expect(pushes[0]).toMatchObject({ sequence: 0, program: { name: 'shop', source: 'otlp' } })
    expect(new Set(pushes.map(({ session }) => session)).size).toBe(1)
    const last = (section: 'functions_timing' | 'gauges', id: string) =>
      pushes
        .findLast(({ sections }) => sections[section] !== undefined)
        ?.sections[section]?.items.find((item) => item.id === id)
    expect(last('functions_timing', 'price cart')?.distributions?.['duration']).toMatchObject({
      count: 100,
      total: (1830 + 820) * 1e6,
    })
    expect(last('gauges', 'orders')?.counters).toEqual({ added: 100 })
    expect(last('gauges', 'open_carts')?.levels).toEqual({ value: 100 })
    const entries = pushes.flatMap(({ logs }) => logs).filter(({ item }) => item === 'price cart')
    expect(entries.flatMap(({ value = [] }) => value)).toHaveLength(100)
  },
)

test('programs are kept apart, and what is none of theirs is refused', async () => {
  const { url, pushes, ended, interrupt } = await bridge()
  expect((await post(`${url}/v1/metrics`, metric('one'))).status).toBe(200)
  expect((await post(`${url}/v1/metrics`, metric('two'))).status).toBe(200)
  expect((await post(`${url}/v1/metrics`, '{"resourceMetrics":7}')).status).toBe(400)
  expect((await post(`${url}/v1/logs`, '{}')).status).toBe(404)
  interrupt()
  expect(await ended).toBe(0)
  expect(new Set(pushes.map((push) => push.program?.name))).toEqual(new Set(['one', 'two']))
})

const traces = (spanId: string) =>
  JSON.stringify({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [{ traceId: 'aa', spanId, name: 'pay', startTimeUnixNano: '1', endTimeUnixNano: '2' }],
          },
        ],
      },
    ],
  })

test('a request that comes again, because its answer was lost, counts once', async () => {
  const { url, pushes, ended, interrupt } = await bridge()
  await post(`${url}/v1/traces`, traces('01'))
  await post(`${url}/v1/traces`, traces('01'))
  await post(`${url}/v1/traces`, traces('02'))
  interrupt()
  expect(await ended).toBe(0)
  const [pay] = pushes.at(-1)?.sections.functions_timing?.items ?? []
  expect(pay?.distributions?.['duration']?.count).toBe(2)
})

test('a platform that takes no pushes ends it', async () => {
  const { url, ended, said } = await bridge(() => ({ status: 401, reason: 'The token is revoked.' }))
  const span = { name: 'a', startTimeUnixNano: '1', endTimeUnixNano: '2' }
  await post(`${url}/v1/traces`, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }))
  expect(await ended).toBe(1)
  expect(said()).toContain('The token is revoked.')
})

test('a place that is none is refused', async () => {
  const outcome = await runForTest(['bridge', 'otlp', '--app', 'app_1', '--listen', 'here'], {
    url: 'http://127.0.0.1:1',
  })
  expect([outcome.exitCode, outcome.error]).toEqual([2, expect.stringContaining('--listen here is no place')])
})
