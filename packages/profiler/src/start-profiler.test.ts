import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProfiler } from './start-profiler.ts'
import { startFakePlatform } from './test-platform.ts'
import type { FakePlatform } from './test-platform.ts'

let platform: FakePlatform
beforeEach(async () => {
  platform = await startFakePlatform()
})
afterEach(() => platform.close())

function start(sample: string, args: string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, '../samples', sample), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      FLAMEGATE_LIVE_URL: platform.url,
      FLAMEGATE_LIVE_APP: 'app_1',
      FLAMEGATE_LIVE_TOKEN: 'secret',
      ...environment,
    },
  })
}

async function run(sample: string, args: string[], environment?: Record<string, string>) {
  const child = start(sample, args, environment)
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  return { output: (await text(child.stdout!)).trim(), code: await ended }
}

test('a program that ends by itself pushes all that it measured, and says who it is', async () => {
  expect(await run('short-program.ts', ['1000'])).toEqual({ output: '500500', code: 0 })
  expect(platform.requests).toEqual([{ path: '/v1/live-apps/app_1/pushes', authorization: 'Bearer secret' }])
  expect(platform.pushes[0]?.program).toMatchObject({
    name: 'short-program',
    source: 'profiler',
    language: 'JavaScript',
    runtime: `Node.js ${process.versions.node}`,
    version: '1.2.3',
  })
  expect(platform.newest('functions_timing', 'work')?.distributions?.['duration']?.count).toBe(1000)
  expect(platform.logs('functions_timing')).toMatchObject([{ lost: 900 }])
})

test('without an address nothing is measured, and the program is as it was', async () => {
  const { output, code } = await run('short-program.ts', ['10'], { FLAMEGATE_LIVE_URL: '' })
  expect([output, code]).toEqual(['55', 0])
  expect(platform.requests).toEqual([])
  const profiler = startProfiler({ url: '' })
  expect(profiler.measure('now', Date.now)).toBe(Date.now)
  expect(profiler.isOn).toBe(false)
  const queue = profiler.queue<number>('jobs', { capacity: 1 })
  expect([queue.put(1), queue.put(2), queue.take()]).toEqual([true, false, 1])
  expect(await profiler.future('one', () => Promise.resolve(1))).toBe(1)
})

test('a platform that does not answer holds up the end of the program for no longer than was said', async () => {
  platform.answers.push('nothing')
  expect(await run('short-program.ts', ['10', '300'])).toEqual({ output: '55', code: 0 })
  expect(platform.requests).toHaveLength(1)
})

test('a platform that is not there changes nothing', async () => {
  const { code, output } = await run('short-program.ts', ['10', '300'], {
    FLAMEGATE_LIVE_URL: 'http://127.0.0.1:9',
  })
  expect([output, code]).toEqual(['55', 0])
})

test.each([
  [{ FLAMEGATE_LIVE_TOKEN: '' }, 'The profiler needs FLAMEGATE_LIVE_APP and FLAMEGATE_LIVE_TOKEN'],
  [{ FLAMEGATE_LIVE_URL: 'ftp://example.com' }, 'no http or https URL'],
])('wrong settings are told, and end nothing: %j', async (environment, message) => {
  const { output, code } = await run('short-program.ts', ['10'], environment)
  expect(code).toBe(0)
  expect(output).toContain(message)
  expect(output).toContain('55')
})

test('a refusal that will not go away ends pushing, and is told once', async () => {
  const errors: string[] = []
  platform.answers.push({ status: 403, body: JSON.stringify({ detail: 'The token was taken back.' }) })
  const profiler = startProfiler({
    url: platform.url,
    app: 'app_1',
    token: 'old',
    intervalMs: 10,
    onError: ({ message }) => errors.push(message),
  })
  const work = profiler.measure('work', () => 7)
  await expect.poll(() => errors).toEqual(['Nothing is pushed any more. 403: The token was taken back.'])
  expect(work()).toBe(7)
  await profiler.stop()
  expect(platform.requests).toHaveLength(1)
})

test('a push that is refused for what it holds is told, and the next goes all the same', async () => {
  const errors: string[] = []
  platform.answers.push({ status: 400, body: JSON.stringify({ detail: 'A time of this push is ahead.' }) })
  const profiler = startProfiler({
    url: platform.url,
    app: 'app_1',
    token: 't',
    intervalMs: 10,
    onError: ({ message }) => errors.push(message),
  })
  await expect.poll(() => platform.pushes.length).toBeGreaterThan(0)
  await profiler.stop()
  expect(errors).toEqual(['A push was refused, and is lost. 400: A time of this push is ahead.'])
})

test('told to wait, it waits, and loses nothing', async () => {
  platform.answers.push({ status: 429, headers: { 'retry-after': '1' } })
  const profiler = startProfiler({ url: platform.url, app: 'app_1', token: 't', intervalMs: 10 })
  for (let index = 0; index < 5; index++) profiler.value('number', index)
  await expect.poll(() => profiler.state()?.trouble).toMatchObject({ reason: expect.any(String) })
  for (let index = 5; index < 9; index++) profiler.value('number', index)
  await expect.poll(() => platform.logs('values').flatMap(({ text: texts }) => texts)).toHaveLength(9)
  await profiler.stop()
  const texts = platform.logs('values').flatMap((log) => log.text)
  expect(texts).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
  expect(profiler.state()?.entriesLost).toBe(0)
})

test('an error in what is told of errors is nobody else’s', () => {
  expect(() =>
    startProfiler({
      url: 'nonsense',
      app: 'a',
      token: 't',
      onError: () => {
        throw new Error('mine')
      },
    }),
  ).not.toThrow()
})

test('the pushes of a shop with planted faults point at each', async () => {
  const child = start('troubled-shop.ts', [])
  const retained = () =>
    platform.pushes
      .map(({ sections }) => sections.functions_alloc?.items.find(({ name }) => name === 'rememberSession'))
      .map((item) => item?.levels?.['retained'] ?? 0)
      .filter((bytes, index, all) => bytes > 0 && bytes !== all[index - 1])
  try {
    // The leak: what is held through one function grows from look to look.
    await expect
      .poll(() => (retained().at(-1) ?? 0) / (retained()[0] ?? 1), { timeout: 50_000 })
      .toBeGreaterThan(3)
    // The slow function: most of the time of all.
    const totals = platform.pushes
      .at(-1)!
      .sections.functions_timing!.items.map(({ name, distributions }) => ({
        name,
        total: distributions!['duration']!.total,
      }))
      .toSorted((a, b) => b.total - a.total)
    expect(totals[0]?.name).toBe('searchProducts')
    // The queue that fills, beside one that does not.
    expect(platform.newest('channels', 'mails')).toMatchObject({
      state: 'full',
      levels: { capacity: 100, queued_max: 100 },
    })
    expect(platform.newest('channels', 'orders')).toMatchObject({ state: 'active', levels: { queued: 0 } })
    expect(platform.newest('futures', 'payment')?.counters).toMatchObject({ failed: 0 })
  } finally {
    child.stdin!.end()
    await new Promise((resolve) => child.on('exit', resolve))
  }
  // The last push had what was logged last.
  expect(platform.newest('values', 'turns')).toMatchObject({ texts: { last_value: 'over' } })
})
