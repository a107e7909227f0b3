import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpServer, pageStep, virtualUser } from '@flamegate/loadtest'
import { actionCounters, type Tick } from '@flamegate/series'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { LoadModel } from '../load/load-generator.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import type { MeasuredPageLoad } from '../load/page-loads.ts'
import { TargetRefused, type TargetGate } from '../ports.ts'
import { LoadBrowser } from './load-browser.ts'

/** Says how long its server took, moves what it shows once, and holds up whoever clicks for 120 ms. */
const shop = `<title>Shop</title><h1 style="margin:0">Welcome</h1>
  <button onclick="const end = performance.now() + 120; while (performance.now() < end); out.textContent = 'done'">Buy</button>
  <p id="out">nothing</p><p style="height:300px">below</p>
  <script>setTimeout(() => document.body.insertAdjacentHTML('afterbegin', '<div style="height:200px">late</div>'), 300)</script>`

const list = '<h1>List</h1><a href="/products/4711?ref=x">Shirt</a>'
const serverMs = 150
const cookies: string[] = []
/** A request that is not answered. */
const arrived = Promise.withResolvers<void>()
const server = createServer((request, response) => {
  cookies.push(request.headers.cookie ?? '')
  const respond = () =>
    response
      .writeHead(request.url === '/missing' ? 404 : 200, {
        'content-type': 'text/html',
        'set-cookie': 'seen=yes',
      })
      .end(request.url === '/list' ? list : shop)
  if (request.url === '/never') return arrived.resolve()
  setTimeout(respond, request.url?.startsWith('/products') === true ? serverMs : 0)
})
let base = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  base = `http://shop.test:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const opened: LoadBrowser[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((browser) => browser.close()))
})

const gate: TargetGate = {
  resolve: (host) =>
    host === 'shop.test'
      ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
      : Promise.reject(new TargetRefused(`${host} is no verified target.`)),
}

type Step = { type: string } & Record<string, unknown>
const goto = (path: string): Step => ({ type: 'goto', server_id: 'srv_1', path })
const shown = (text: string): Step => ({
  type: 'expect',
  locator: { by: 'css', value: 'body' },
  what: 'text',
  comparison: 'contains',
  expected: text,
})
const buy: readonly Step[] = [
  { type: 'click', locator: { by: 'role', value: 'button', name: 'Buy' } },
  shown('done'),
]

interface Measured {
  loads: MeasuredPageLoad[]
  ticks: Tick[]
  failures: { failure: string; errorClass: string }[]
}

/** Users with a browser who do these page actions, each once or as often as is said. */
async function load(
  actions: readonly (readonly Step[])[],
  { users = 1, iterations = 1, usersMax = 4, baseUrl = base, signal = new AbortController().signal } = {},
): Promise<Measured> {
  const browser = await LoadBrowser.open(gate, usersMax)
  opened.push(browser)
  const model: LoadModel = {
    type: 'closed',
    wantedUsers: () => users,
    usersMax: users,
    iterationsMax: iterations,
  }
  const document = virtualUser.parse({
    name: 'Visitor',
    actions: actions.map((steps, index) => ({
      type: 'page',
      id: `act_${index}`,
      timeout_ms: 10_000,
      steps: steps.map((step, place) => pageStep.parse({ id: `step_${index}_${place}`, ...step })),
    })),
  })
  const measured: Measured = { loads: [], ticks: [], failures: [] }
  const generator = new LoadGenerator(
    {
      profiles: [
        {
          document,
          servers: new Map([['srv_1', httpServer.parse({ name: 'shop', base_url: baseUrl })]]),
          variables: [],
          secrets: new Map(),
          thinkTimeFactor: 1,
          model,
          firstAction: 10,
          seed: 1,
        },
      ],
      gate,
      openFile: () => Promise.resolve(undefined),
      browser,
      startAt: Date.now(),
      durationMs: 120_000,
      drainMs: 200,
      signal,
    },
    {
      onTick: (tick) => measured.ticks.push(tick),
      onSample: ({ failure, errorClass }) => measured.failures.push({ failure, errorClass }),
      onPageLoad: (each) => measured.loads.push(each),
    },
  )
  expect((await generator.run()).words).toEqual([])
  return measured
}

function total(ticks: readonly Tick[], counter: (typeof actionCounters)[number]): number {
  return ticks
    .flatMap(({ actions }) => actions)
    .reduce((sum, { counters }) => sum + (counters[actionCounters.indexOf(counter)] ?? 0), 0)
}

test('each page load is told once, with its vitals, where it began, when it was left', async () => {
  const { loads, ticks, failures } = await load([[goto('/products/4711?ref=x'), shown('late')], [...buy]])
  expect(failures).toEqual([])
  expect(loads).toHaveLength(1)
  const [only] = loads
  // It is of the action that opened it, also what was done to it in another.
  expect(only).toMatchObject({ profile: 0, action: 10, page: '/products/{…}' })
  expect(only?.ttfbMs).toBeGreaterThanOrEqual(serverMs - 1)
  expect(only?.fcpMs).toBeGreaterThanOrEqual(only?.ttfbMs ?? Infinity)
  expect(only?.lcpMs).toBeGreaterThanOrEqual(only?.fcpMs ?? Infinity)
  expect(only?.cls).toBeGreaterThan(0.01)
  expect(only?.inpMs).toBeGreaterThanOrEqual(100)
  expect(total(ticks, 'count')).toBe(2)
})

test('a page that goes on to another is two loads, and one that is not there is none', async () => {
  const { loads, failures } = await load([
    [goto('/list')],
    [{ type: 'click', locator: { by: 'role', value: 'link', name: 'Shirt' } }, shown('Welcome')],
    [goto('/missing')],
  ])
  expect(loads.map(({ page, action }) => [page, action])).toEqual([
    ['/list', 10],
    ['/products/{…}', 11],
  ])
  expect(failures).toMatchObject([{ errorClass: 'status_4xx' }])
})

test('users share a browser and nothing else, and begin each iteration anew', async () => {
  cookies.length = 0
  const { loads, ticks } = await load([[goto('/'), shown('Welcome')]], { users: 3, iterations: 2 })
  expect(loads).toHaveLength(6)
  expect(cookies.every((cookie) => cookie === '')).toBe(true)
  expect(total(ticks, 'count')).toBe(6)
})

test('what fails in a page has a class, as what fails in a request', async () => {
  const missing: Step = { type: 'click', locator: { by: 'css', value: '#never' }, timeout_ms: 200 }
  const wrong: Step = { ...shown('something else'), timeout_ms: 200 }
  const { failures, ticks } = await load([[goto('/'), missing], [wrong], [goto('/')]])
  expect(failures.map(({ errorClass }) => errorClass)).toEqual(['timeout', 'assertion'])
  expect(total(ticks, 'error_timeout')).toBe(1)
  const refused = await load([[goto('/')]], { baseUrl: 'http://elsewhere.test' })
  expect(refused.failures).toMatchObject([{ errorClass: 'refused_target' }])
  expect(refused.failures[0]?.failure).toContain('elsewhere.test is no verified target.')
})

test('a run that is stopped ends in the middle of a page that does not come, and tells of those that were left', async () => {
  const stopping = new AbortController()
  const running = load([[goto('/'), shown('late')], [goto('/never')]], { signal: stopping.signal })
  await arrived.promise
  stopping.abort()
  const { loads, failures, ticks } = await running
  expect(loads.map(({ page }) => page)).toEqual(['/'])
  expect(failures).toMatchObject([{ failure: 'The run ended before it was done.' }])
  expect(total(ticks, 'count')).toBe(2)
})

test('more users than there are to be fail, in words', async () => {
  const { failures, loads } = await load([[goto('/'), shown('late')]], { users: 2, usersMax: 1 })
  expect(loads).toHaveLength(1)
  expect(failures[0]?.failure).toContain('a browser for 1 users at most')
})
