import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { livePush, type ReceivedLivePush } from '@flamegate/live'
import { answerOf, generations, programBodies, type Generation } from '@flamegate/live/hotpath/testing'
import { expect, onTestFinished, test } from 'vitest'
import { MetricsServer } from './bridge/hotpath/metrics-server.ts'
import { runHotpathBridge } from './bridge/hotpath/run-hotpath-bridge.ts'
import { sendPush } from './bridge/push-target.ts'
import { Screen } from './bridge/screen.ts'
import { programEnv } from './testing/program-env.ts'
import { runForTest } from './testing/run-for-test.ts'
import { stubPrograms } from './testing/stub-programs.ts'

async function listen(handle: RequestListener, port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  return { server, port: address.port }
}

/** A program with hotpath of some generation: it makes a call with each look at its functions, and can end and begin anew. */
async function program(generation: Generation, options: { token?: string } = {}) {
  const asked: string[] = []
  const state = { calls: 50, seconds: 10, atOnce: 0, most: 0 }
  const handle: RequestListener = (request, response) => {
    state.most = Math.max(state.most, ++state.atOnce)
    setImmediate(() => state.atOnce--)
    const path = decodeURIComponent(request.url ?? '')
    asked.push(path)
    if (options.token !== undefined && request.headers.authorization !== options.token) {
      response.writeHead(401).end('{"error":"Unauthorized"}')
      return
    }
    if (path === '/functions_timing') {
      state.calls++
      state.seconds += 0.01
    }
    const { status, body } = answerOf(generation, programBodies(generation, state.calls, state.seconds), path)
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  let { server, port } = await listen(handle)
  return {
    port,
    asked,
    state,
    end: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
    begin: async () => {
      Object.assign(state, { calls: 0, seconds: 1 })
      ;({ server } = await listen(handle, port))
    },
  }
}

/** A platform that stores what is a push, each sequence once, and answers otherwise as told. */
async function platform(answers: { status: number; headers?: Record<string, string> }[] = []) {
  const stored: ReceivedLivePush[] = []
  const sequences = new Set<string>()
  const requests: Pick<IncomingMessage, 'url' | 'headers'>[] = []
  const invalid: unknown[] = []
  const twice: string[] = []
  async function take(
    request: IncomingMessage,
  ): Promise<{ status: number; headers?: Record<string, string> }> {
    const bytes = await buffer(request)
    requests.push({ url: request.url, headers: request.headers })
    const answer = answers.shift() ?? { status: 200 }
    const parsed = livePush.safeParse(JSON.parse(gunzipSync(bytes).toString()))
    if (!parsed.success) invalid.push(parsed.error)
    else if (answer.status === 200) {
      const key = `${parsed.data.session} ${parsed.data.sequence}`
      if (sequences.has(key)) twice.push(key)
      sequences.add(key)
      stored.push(parsed.data)
    }
    return answer
  }
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers } = await take(request)
    const refusal = { title: 'No.', detail: 'This token was revoked.' }
    response.writeHead(status, headers).end(JSON.stringify(refusal))
  }
  const { port } = await listen((request, response) => void reply(request, response))
  const logs = () =>
    stored.flatMap((push) => push.logs).filter(({ section }) => section === 'functions_timing')
  const calls = () => logs().flatMap(({ text = [] }) => text)
  const lost = () => logs().reduce((sum, log) => sum + (log.lost ?? 0), 0)
  return { url: `http://127.0.0.1:${port}`, stored, requests, invalid, twice, calls, lost }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** A bridge between the two, that the test ends. */
function bridge(
  { port }: { port: number },
  { url }: { url: string },
  {
    token,
    isInteractive = false,
    intervalMs = 20,
  }: { token?: string; isInteractive?: boolean; intervalMs?: number } = {},
) {
  const told = { out: '', error: '' }
  const interruption = new AbortController()
  onTestFinished(() => interruption.abort())
  const terminal = {
    env: {},
    cwd: '/',
    stdin: nothing(),
    isStdinTyped: true,
    isInteractive,
    writeOut: (text: string) => void (told.out += `${text}\n`),
    passOn: () => {},
    writeError: (text: string) => void (told.error += text),
    pause: () => Promise.resolve(),
  }
  const exitCode = runHotpathBridge({
    server: new MetricsServer(`http://127.0.0.1:${port}`, token),
    send: (push) => sendPush({ url, appId: 'app_01', token: 'fg_push' }, push),
    intervalMs,
    screen: new Screen(terminal, false),
    interruption: interruption.signal,
  })
  exitCode.catch(() => {})
  const end = () => {
    interruption.abort('SIGINT')
    return exitCode
  }
  return { told, exitCode, end }
}

test.each(generations)(
  'bridge hotpath reads a program of generation %s, and pushes its sections and every call once',
  async (generation) => {
    const [shop, platformHere] = [await program(generation), await platform()]
    const { told, end } = bridge(shop, platformHere)
    await expect.poll(() => platformHere.calls().length).toBeGreaterThan(10)
    expect(await end()).toBe(0)
    expect([platformHere.invalid, platformHere.twice]).toEqual([[], []])
    expect(platformHere.requests[0]).toMatchObject({
      url: '/v1/live-apps/app_01/pushes',
      headers: { authorization: 'Bearer fg_push', 'content-encoding': 'gzip' },
    })
    const [first, ...others] = platformHere.stored
    expect(first?.program).toMatchObject({ name: 'shop::main', source: 'hotpath', era: generation })
    expect(others.every((push) => push.program === undefined && push.session === first?.session)).toBe(true)
    expect(first?.sections).toMatchObject({
      functions_timing: { status: 'on' },
      functions_alloc: { status: 'off', reason: expect.stringContaining('enable hotpath-alloc feature') },
    })
    // Each call once, whatever was asked for how often, and up to the very last look.
    const calls = platformHere.calls()
    expect(new Set(calls).size).toBe(calls.length)
    // A ring of three is soon full: what was pushed out of it before it was read is told.
    const numbers = calls.map((call) => Number(call?.slice(3, -1)))
    expect(numbers.length + platformHere.lost()).toBe((numbers.at(-1) ?? 0) - (numbers[0] ?? 0) + 1)
    const counts = platformHere.stored.flatMap(
      ({ sections }) => sections.functions_timing?.items[0]?.distributions?.['duration']?.count ?? [],
    )
    expect(counts.at(-1)).toBe(shop.state.calls)
    // One thread answers: it is asked for one thing at a time, and not again for what it does not have.
    expect(shop.state.most).toBe(1)
    expect(shop.asked.filter((path) => path === '/functions_alloc')).toHaveLength(1)
    expect(told.out).toContain(`Reading shop::main (hotpath, generation ${generation})`)
    expect(told.out).toMatch(/ on: functions_timing, channels/)
    expect(told.out).toContain('off: functions_alloc. Memory profiling not available')
    expect(told.out).toMatch(/Ended: \d+ pushes, \d+ log entries/)
  },
)

test('bridge hotpath sends the token of the metrics server as it is, and says when one is missing', async () => {
  const [shop, platformHere] = [await program('4', { token: 's3cret' }), await platform()]
  const { end } = bridge(shop, platformHere, { token: 's3cret' })
  await expect.poll(() => platformHere.stored.length).toBeGreaterThan(1)
  expect(await end()).toBe(0)
  const without = await runForTest(['bridge', 'hotpath', '--app', 'app_01', '--port', String(shop.port)], {
    url: platformHere.url,
  })
  expect(without).toMatchObject({ exitCode: 2, error: expect.stringContaining('--auth-token') })
})

test.each(generations)(
  'bridge hotpath waits for a program of generation %s, and takes it for another run when it began anew',
  async (generation) => {
    const [shop, platformHere] = [await program(generation), await platform()]
    await shop.end()
    const { told, end } = bridge(shop, platformHere)
    await expect.poll(() => told.out).toContain('No program with hotpath answers at')
    await shop.begin()
    await expect.poll(() => platformHere.calls().length).toBeGreaterThan(3)
    await shop.end()
    await expect.poll(() => told.out.match(/No program/g)).toHaveLength(2)
    await shop.begin()
    const sessions = () => new Set(platformHere.stored.map(({ session }) => session))
    await expect.poll(() => sessions().size).toBe(2)
    expect(await end()).toBe(0)
    expect(told.out).toContain('It began anew: shop::main')
    // Its calls are counted from one again.
    expect(platformHere.calls().filter((call) => call === 'Ok(1)')).toHaveLength(2)
    for (const session of sessions()) {
      const pushes = platformHere.stored.filter((push) => push.session === session)
      expect(pushes.map(({ sequence }) => sequence)).toEqual(pushes.map((_, index) => index))
      expect(pushes[0]?.program?.name).toBe('shop::main')
    }
  },
)

test('bridge hotpath loses no call while the platform is busy', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0' } }
  const [shop, platformHere] = [await program('4'), await platform([busy, busy, { status: 503 }, busy])]
  // Long enough to read all that moved.
  const { end } = bridge(shop, platformHere, { intervalMs: 500 })
  await expect.poll(() => platformHere.stored.length).toBeGreaterThan(2)
  expect(await end()).toBe(0)
  const numbers = platformHere.calls().map((call) => Number(call?.slice(3, -1)))
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  expect(numbers.at(-1)).toBe(shop.state.calls)
})

test('bridge hotpath ends when the platform refuses it, and says why', async () => {
  const [shop, platformHere] = [await program('3'), await platform([{ status: 403 }])]
  const { told, exitCode } = bridge(shop, platformHere)
  expect(await exitCode).toBe(1)
  expect(told.error).toContain('The platform takes no pushes')
  expect(told.error).toContain('This token was revoked.')
})

test('bridge hotpath draws how it goes on one line for a person', async () => {
  const [shop, platformHere] = [await program('4'), await platform()]
  const { told, end } = bridge(shop, platformHere, { isInteractive: true })
  await expect.poll(() => told.error).toMatch(/\[2K[1-9]\d* pushes.*shop::pay \d+ ms/)
  expect(await end()).toBe(0)
  expect(told.error).not.toContain('\n')
})

test('bridge hotpath as a process takes its settings from the environment, and ends by Ctrl-C with a last push', async () => {
  const [shop, platformHere] = [await program('4', { token: 's3cret' }), await platform()]
  const main = join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [main, 'bridge', 'hotpath', '--interval', '0.05s', '--quiet'], {
    env: {
      ...programEnv,
      FLAMEGATE_LIVE_URL: platformHere.url,
      FLAMEGATE_LIVE_APP: 'app_01',
      FLAMEGATE_LIVE_TOKEN: 'fg_push',
      HOTPATH_METRICS_PORT: String(shop.port),
      HOTPATH_METRICS_AUTH_TOKEN: 's3cret',
    },
  })
  const output = buffer(child.stdout)
  const errors = buffer(child.stderr)
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  await expect.poll(() => platformHere.stored.length).toBeGreaterThan(1)
  child.kill('SIGINT')
  expect([await exit, String(await output), String(await errors)]).toEqual([0, '', ''])
  const last = platformHere.stored.findLast(({ sections }) => sections.functions_timing !== undefined)
  expect(last?.sections.functions_timing?.items[0]?.distributions?.['duration']?.count).toBe(shop.state.calls)
})

test('bridge hotpath --report pushes a report, the same again as the same', async () => {
  const platformHere = await platform([{ status: 200 }, { status: 204 }])
  const { folder } = await stubPrograms({})
  const { '/functions_timing': timing } = programBodies('4', 50, 12.4)
  const report = {
    type: 'hotpath_report',
    meta: { created_at: '2026-11-20T12:00:00Z' },
    label: 'shop',
    functions_timing: timing,
  }
  await writeFile(join(folder, 'report.json'), JSON.stringify(report))
  await writeFile(join(folder, 'other.json'), '{}')
  const args = ['bridge', 'hotpath', '--app', 'app_01', '--report']
  const run = (file: string) => runForTest([...args, file], { url: platformHere.url, cwd: folder })
  expect(await run('report.json')).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('Pushed the report of shop: functions_timing.'),
  })
  expect(platformHere.stored).toMatchObject([
    { sequence: 0, at: Date.parse('2026-11-20T12:00:00Z'), program: { name: 'shop', source: 'hotpath' } },
  ])
  expect(await run('report.json')).toMatchObject({ exitCode: 0 })
  expect(platformHere.requests).toHaveLength(2)
  expect(await run('other.json')).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('"type" is not "hotpath_report"'),
  })
  expect(await run('none.json')).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('no such file'),
  })
})

test.each([
  [['bridge'], 'Say what it reads'],
  [['bridge', 'jaeger'], 'There is no bridge for jaeger'],
  [['bridge', 'hotpath'], '--app app_…'],
  [['bridge', 'hotpath', '--app', 'app_01', '--port', '0'], 'The port 0 is none'],
  [['bridge', 'hotpath', '--app', 'app_01', '--url', 'http://flamegate.example'], 'by https alone'],
  [['bridge', 'hotpath', '--app', 'app_01', '--interval', 'x'], '--interval x is no time'],
])('%j is refused in words', async (args, words) => {
  expect(await runForTest(args)).toMatchObject({ exitCode: 2, error: expect.stringContaining(words) })
})
