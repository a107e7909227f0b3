import { expect, test } from 'vitest'
import type { ActionResult, PageRunner, StartedAction, UserOutcome } from '../ports.ts'
import { planOf } from '../testing/run.ts'
import type { RunOptions } from '../testing/run.ts'
import { echo, startTestServer } from '../testing/test-server.ts'
import { runInProcess } from './run-in-process.ts'
import type { ProcessOptions } from './run-in-process.ts'

async function runBeside(
  actions: Record<string, unknown>[],
  options: RunOptions = {},
  processOptions?: ProcessOptions,
): Promise<{ results: ActionResult[]; started: StartedAction[]; outcome: UserOutcome }> {
  const results: ActionResult[] = []
  const started: StartedAction[] = []
  const observer = {
    started: (action: StartedAction) => void started.push(action),
    finished: (result: ActionResult) => void results.push(result),
  }
  const outcome = await runInProcess(planOf(actions, options), observer, processOptions)
  return { results, started, outcome }
}

/** Nothing else happens in this process meanwhile. */
function holdUp(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs)
}

test('a process does what is done here, and asks for the gate, for files and for pages', async () => {
  const server = await startTestServer({ '/echo': echo })
  const pages: PageRunner = {
    run: async (_action, user) => {
      await user.set('page', `${await user.expand('${name}!')} ${user.servers.size}`)
      const unknown = await user.expand('${nobody}').catch((error: Error) => error.message)
      return {
        failure: null,
        messages: [unknown],
        exchanges: [],
        screenshot: new Uint8Array([7]),
        trace: null,
        errorClass: null,
        preparationMs: 0,
      }
    },
  }
  const get = { type: 'http_request', method: 'GET', server_id: 'srv', path: '/echo?${name}' }
  const { results, started, outcome } = await runBeside(
    [
      { type: 'container', actions: [get] },
      { ...get, server_id: 'far' },
      { type: 'page', steps: [{ type: 'goto', server_id: 'srv', path: '/' }] },
      { type: 'set_variable', variable: 'after', value: '${page}' },
    ],
    {
      servers: { srv: { base_url: server.url }, far: { base_url: 'http://far.example' } },
      variables: [{ type: 'csv', name: 'names', path: 'n.csv', columns: ['name'] }],
      files: { 'n.csv': 'ann\n' },
      pages,
    },
  )
  await server.stop()
  expect(server.seen).toEqual(['GET /echo?ann'])
  expect(results.map(({ type, failure }) => [type, failure])).toEqual([
    ['http_request', null],
    ['container', null],
    ['http_request', 'far.example:80: far.example is not a target of this project.'],
    ['page', null],
    ['set_variable', null],
  ])
  expect(results[3]).toMatchObject({
    messages: ['The variable nobody has no value.'],
    variables: { page: 'ann! 1' },
  })
  expect(Array.from(results[3]?.screenshot ?? [])).toEqual([7])
  expect(results[4]?.variables).toEqual({ after: 'ann! 1' })
  expect(started.map(({ type }) => type)).toEqual([
    'container',
    'http_request',
    'http_request',
    'page',
    'set_variable',
  ])
  expect(outcome).toEqual({ iterations: 1, passed: 3, failed: 1, ended: null })
})

test('a regular expression that hangs is ended, and told as the failure of its action', async () => {
  const server = await startTestServer({ '/': (_request, response) => response.end(`${'a'.repeat(60)}!`) })
  const { results, outcome } = await runBeside(
    [
      { type: 'set_variable', variable: 'a', value: '1' },
      {
        type: 'container',
        actions: [
          {
            type: 'http_request',
            id: 'hangs',
            method: 'GET',
            server_id: 'srv',
            path: '/',
            extractors: [{ type: 'regex', variable: 'x', pattern: '(a+)+$' }],
          },
        ],
      },
    ],
    { servers: { srv: { base_url: server.url } } },
    { blockedMsMax: 1500 },
  )
  await server.stop()
  expect(results.map(({ actionId, outcome: one, sequence }) => [actionId, one, sequence])).toEqual([
    ['id1', 'passed', 0],
    ['hangs', 'failed', 1],
  ])
  expect(results[1]?.failure).toContain('It held up everything for more than 1.5 s')
  expect(outcome).toMatchObject({ iterations: 1, passed: 1, failed: 1, ended: results[1]?.failure })
})

test('a script that is busy within its time is not taken for one that hangs', async () => {
  const script = { type: 'script', source: 'for (;;);', timeout_ms: 3000 }
  const { results } = await runBeside([script], {}, { blockedMsMax: 2000 })
  expect(results[0]?.failure).toContain('3000 ms of processor time')
})

test('a process that was held up itself hears what was said meanwhile before it judges', async () => {
  const results: ActionResult[] = []
  const plan = planOf([{ type: 'script', source: 'for (;;);', timeout_ms: 3000 }], {})
  const observer = {
    // Timers come right after what is immediate, and before messages.
    started: () => void setTimeout(() => setImmediate(holdUp, 2500), 100),
    finished: (result: ActionResult) => void results.push(result),
  }
  await runInProcess(plan, observer, { blockedMsMax: 2000 })
  expect(results[0]?.failure).toContain('3000 ms of processor time')
})

test('too much memory ends the process of the virtual user, and not ours', async () => {
  const server = await startTestServer({
    '/': (_request, response) => response.end('<p>x'.repeat(2_000_000)),
  })
  const get = {
    type: 'http_request',
    method: 'GET',
    server_id: 'srv',
    path: '/',
    extractors: [{ type: 'css', variable: 'x', selector: 'q' }],
  }
  const { results, outcome } = await runBeside(
    [get],
    { servers: { srv: { base_url: server.url } } },
    { heapMegabytes: 64 },
  )
  await server.stop()
  expect(outcome).toEqual({
    iterations: 1,
    passed: 0,
    failed: 1,
    ended: 'It needed more than 64 MB of memory, and was ended.',
  })
  expect(results[0]?.failure).toBe(outcome.ended)
})

test('texts that double until there is no room for one more end the process of the virtual user, and not ours', async () => {
  // Of two bytes each, so that the last one alone is larger than any reserve.
  const begin = { type: 'set_variable', variable: 'x', value: '012345678€' }
  const double = { type: 'set_variable', variable: 'x', value: '${x}${x}' }
  const copies = Array.from({ length: 30 }, (_, index) => ({
    type: 'set_variable',
    variable: `v${index}`,
    value: '${x}!',
  }))
  const { results, outcome } = await runBeside(
    [begin, { type: 'loop', count: '21', actions: [double] }, ...copies],
    {},
    { heapMegabytes: 256 },
  )
  expect(outcome.ended).toBe('It needed more than 256 MB of memory, and was ended.')
  expect(results.length).toBeGreaterThan(22)
  const before = results.slice(0, -1)
  expect(before.map(({ outcome: one }) => one)).toEqual(before.map(() => 'passed'))
  // What it was at has failed, unless V8 ended it between two actions.
  expect([null, outcome.ended]).toContain(results.at(-1)?.failure)
})

test('a script that takes all memory it gets fails, and the rest goes on', async () => {
  const { results, outcome } = await runBeside(
    [
      { type: 'script', source: 'const all = []; for (;;) all.push([1])' },
      { type: 'set_variable', variable: 'after', value: '1' },
    ],
    {},
    { heapMegabytes: 256 },
  )
  expect(results.map(({ outcome: one }) => one)).toEqual(['failed', 'passed'])
  expect(results[0]?.failure).toContain('more than 32 MB of memory')
  expect(outcome.ended).toBeNull()
})

test('a huge JSON whose values do not fit ends the process of the virtual user, and not ours', async () => {
  const server = await startTestServer({
    '/': (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(`[${'{"a":{}},'.repeat(2_000_000)}{}]`)
    },
  })
  const get = {
    type: 'http_request',
    method: 'GET',
    server_id: 'srv',
    path: '/',
    extractors: [{ type: 'json_path', variable: 'x', path: '$..a', match: 'all' }],
  }
  const { outcome } = await runBeside(
    [get],
    { servers: { srv: { base_url: server.url } } },
    { heapMegabytes: 64 },
  )
  await server.stop()
  expect(outcome).toMatchObject({ failed: 1, ended: 'It needed more than 64 MB of memory, and was ended.' })
})

test('a process that has no room to begin with is told of so', async () => {
  const { results, outcome } = await runBeside(
    [{ type: 'set_variable', variable: 'x', value: '1' }],
    {},
    { heapMegabytes: 1 },
  )
  expect(results).toEqual([])
  expect(outcome.ended).toBe('It needed more than 1 MB of memory, and was ended.')
})

test('a cancelled process ends soon', async () => {
  const aborting = new AbortController()
  const wait = { type: 'delay', duration: { distribution: 'constant', ms: 60_000 } }
  setTimeout(() => aborting.abort(), 400)
  const started = performance.now()
  const { outcome } = await runBeside([wait], { signal: aborting.signal })
  expect(outcome.ended).toBe('It was cancelled.')
  expect(performance.now() - started).toBeLessThan(15_000)
})

test('what runs for too long is ended, also where it only waits', async () => {
  const wait = { type: 'delay', duration: { distribution: 'constant', ms: 60_000 } }
  const loop = { type: 'loop', count: '999999999', actions: [wait] }
  const { results, outcome } = await runBeside([loop], {}, { runMsMax: 1500 })
  expect(outcome.ended).toBe('It ran for more than 1.5 s, and was ended.')
  // None at all where the thread takes longer to start.
  expect(results.every(({ failure }) => failure === outcome.ended)).toBe(true)
})
