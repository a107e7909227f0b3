import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startProfiler } from '../../packages/profiler/src/index.ts'
import { startOwnPlatform, type OwnPlatform } from './own-platform.ts'
import { signUpAs, type Person } from '../system/person.ts'
import { programEnv } from '../system/program-env.ts'
import { freePort } from '../free-port.ts'

/**
 * A live app that is told too much, on a platform whose limits are a fiftieth of the usual: 20,000 log entries and items at once,
 * and 2,000 a second.
 */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const burst = 19_000
const within = { timeout: 90_000, interval: 500 }

let platform: OwnPlatform
let owner: Person

beforeAll(async () => {
  platform = await startOwnPlatform({ FLAMEGATE_RATE_LIMITS: '0.02' })
  owner = await signUpAs(platform.url, 'Busy', 'busy@example.com')
})
afterAll(() => platform?.stop())

/** In a project of its own, which has two apps at most here. */
async function register(name: string) {
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name,
  })
  return owner.client.call(operations.registerLiveApp, { project_id: project.id, name })
}

test('who pushes more is refused with the time to wait, and then the same push is stored, once', async () => {
  const { live_app: app, token } = await register('by hand')
  const push = async (sequence: number) => {
    const at = Array.from({ length: burst }, (_, index) => Date.now() - 60_000 + index)
    const response = await fetch(`${platform.url}/v1/live-apps/${app.id}/pushes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        session: 'session-1',
        sequence,
        at: Date.now(),
        logs: [{ section: 'gauges', item: 'g', at, value: at }],
      }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  expect(await push(0)).toMatchObject({ status: 200, body: { status: 'stored' } })
  const refused = await push(1)
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'rate_limited', detail: expect.stringContaining('2000 log entries and items a second') },
  })
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(1)
  await wait(seconds * 1000)
  expect(await push(1)).toMatchObject({ status: 200, body: { status: 'stored' } })
  const again = await push(1)
  await wait(Number(again.headers.get('retry-after')) * 1000)
  expect(await push(1)).toMatchObject({ status: 200, body: { status: 'duplicate' } })
})

test('the library waits as long as it is told, and loses nothing', async () => {
  const { live_app: app, token } = await register('the library')
  const profiler = startProfiler({
    url: platform.url,
    app: app.id,
    token,
    intervalMs: 200,
    logEntries: burst,
  })
  onTestFinished(() => profiler.stop())
  const orders = profiler.gauge('orders')
  let set = 0
  const setMany = (count: number) => {
    for (let index = 0; index < count; index++) orders.set(++set)
  }
  const sent = () => profiler.state()?.entriesSent ?? 0
  setMany(burst)
  await expect.poll(sent, within).toBeGreaterThanOrEqual(burst)
  setMany(burst)
  await expect.poll(() => profiler.state()?.trouble?.reason ?? '', within).toMatch(/^429: .*live-values/)
  const refusedAt = Date.now()
  const { retryAt } = profiler.state()?.trouble ?? { retryAt: 0 }
  expect(retryAt - refusedAt).toBeGreaterThan(1000)
  setMany(1000)
  await expect.poll(sent, within).toBeGreaterThanOrEqual(2 * burst + 1000)
  expect(Date.now()).toBeGreaterThanOrEqual(retryAt)
  expect(profiler.state()).toMatchObject({ entriesLost: 0, givenUp: undefined })
  const { entries, lost } = await owner.client.call(operations.gaugeLogs, {
    live_app_id: app.id,
    gauge_name: 'orders',
    limit: 500,
  })
  expect(lost).toBe(0)
  expect(entries.map(({ measures }) => measures['value'])).toEqual(
    Array.from({ length: 500 }, (_, index) => set - index),
  )
})

test('so does the bridge', async () => {
  const { live_app: app, token } = await register('the bridge')
  const port = await freePort()
  const bridge = spawn(
    process.execPath,
    [cli, 'bridge', 'otlp', '--app', app.id, '--url', platform.url, '--listen', `127.0.0.1:${port}`],
    { env: { ...programEnv, FLAMEGATE_LIVE_TOKEN: token } },
  )
  onTestFinished(() => void bridge.kill('SIGKILL'))
  const [out, error] = [textOf(bridge.stdout), textOf(bridge.stderr)]
  const exit = once(bridge, 'exit')
  const exportSpans = async (first: number) => {
    const spans = Array.from({ length: burst }, (_, index) => ({
      traceId: 'aa',
      spanId: String(first + index),
      name: 'pay',
      startTimeUnixNano: '1000000',
      endTimeUnixNano: '2000000',
    }))
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`http://127.0.0.1:${port}/v1/traces`, { method: 'POST', headers, body })).status
  }
  const calls = async () => {
    const { rows } = await owner.client.call(operations.functionsTiming, { live_app_id: app.id })
    return rows[0]?.measures['calls']
  }
  await expect.poll(() => exportSpans(0).catch(() => 0), within).toBe(200)
  await expect.poll(calls, { ...within, interval: 200 }).toBe(burst)
  expect(await exportSpans(burst)).toBe(200)
  // It is told no more than 2,000 a second, and has 18,000 left to tell.
  await expect.poll(calls, { ...within, interval: 2000 }).toBe(2 * burst)
  bridge.kill('SIGINT')
  expect(await exit).toEqual([0, null])
  expect(await error).toBe('')
  expect(await out).toMatch(/waiting: .*live-values/)
  expect(await out).toMatch(new RegExp(`Ended: \\d+ pushes, ${2 * burst} log entries\\.`))
})
