import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { get, load, users } from '../testing/load.ts'
import type { LoadModel } from './load-generator.ts'
import { loopbackGate, run } from '../testing/run.ts'
import { selfSignedCertificate } from '../testing/self-signed-certificate.ts'
import { echo, portOf, startTestServer } from '../testing/test-server.ts'
import type { Routes, TestServer } from '../testing/test-server.ts'

const routes: Routes = {
  '/': (_request, response) => response.end('hello'),
  '/echo': echo,
  '/login': (_request, response) => {
    response.setHeader('set-cookie', ['sid=s1; Path=/; HttpOnly', 'theme=dark; Path=/'])
    response.end('{"id":7,"items":[{"sku":"a-1"}]}')
  },
  '/gzip': (_request, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync('{"id":"zipped"}'))
  },
  '/moved': (_request, response) => response.writeHead(302, { location: '/echo' }).end(),
  '/posted': (_request, response) => response.writeHead(303, { location: '/echo' }).end(),
  '/circle': (_request, response) => response.writeHead(302, { location: '/circle' }).end(),
  '/error': (_request, response) => response.writeHead(503).end('overloaded: k3y-secret'),
  '/missing': (_request, response) => response.writeHead(404).end('no'),
  '/cached': (_request, response) => {
    response.setHeader('cache-control', 'max-age=60')
    response.end('cached')
  },
  '/ca': (_request, response) => response.end('found'),
  '/close': (_request, response) => {
    response.setHeader('connection', 'close')
    response.end('bye')
  },
  '/reset': (request) => request.socket.resetAndDestroy(),
  '/never': () => {},
  '/fixed': (_request, response) => void setTimeout(() => response.end('late'), 20),
}
let server: TestServer
beforeAll(async () => {
  server = await startTestServer(routes)
})
afterAll(() => server.stop())

const servers = () => ({ srv: { base_url: server.url } })
const cachedAgain = (id: string, more = {}) => get(id, { path: '/cached', ...more })
const set = (variable: string, value: string) => ({ type: 'set_variable', variable, value })
const seenBy = (path: string) =>
  server.seen.filter((line) => line.split(' ')[1]?.split('?')[0] === path).length
const counted = async (path: string, task: () => Promise<unknown>) => {
  const before = seenBy(path)
  await task()
  return seenBy(path) - before
}

test('what is counted is what the server saw', async () => {
  const before = seenBy('/')
  const found = await load([get('/'), get('/login')], { servers: servers(), model: users(8, 25) })
  expect(seenBy('/') - before).toBe(200)
  expect(found.outcome).toMatchObject({ unsentArrivals: [0], words: [], cutOff: 0 })
  for (const id of ['/', '/login']) {
    expect(found.counter(id, 'count')).toBe(200)
    expect(found.counter(id, 'status_2xx')).toBe(200)
    expect(found.recorded(id, 'serviceTime')).toBe(200)
    expect(found.recorded(id, 'responseTime')).toBe(200)
    expect(found.errors(id)).toEqual({})
  }
  expect(found.counter('/', 'connections_opened')).toBe(8)
  expect(found.counter('/login', 'connections_opened')).toBe(0)
  const profile = (['users_started', 'users_ended', 'iterations', 'iterations_failed'] as const).map((name) =>
    found.profile(name),
  )
  expect(profile).toEqual([8, 8, 200, 0])
})

test('requests are those that a check sends', async () => {
  const documents: Record<string, unknown>[][] = [
    [get('/echo')],
    [get('/echo', { path: '/echo/../echo', query: [{ name: 'a b', value: "it's 1 & 2" }] })],
    [get('/echo', { method: 'POST', body: { type: 'json', text: '{"ä":"${word}"}' } })],
    [get('/echo', { method: 'POST', body: { type: 'form', fields: [{ name: 'a', value: 'b ${word}' }] } })],
    [get('/echo', { method: 'POST' })],
    [get('/echo', { method: 'PUT', body: { type: 'base64', data: 'AP8=', content_type: 'x/y' } })],
    [get('/echo', { method: 'DELETE', headers: [{ name: 'X-Word', value: '${word} é' }] })],
    [get('/echo', { path: '/echo', query: [{ name: '${word}', value: '${word}' }] })],
    [
      get('/echo', {
        headers: [
          { name: 'User-Agent', value: 'mine' },
          { name: 'accept', value: 'a/b' },
          { name: 'Connection', value: 'close' },
        ],
      }),
    ],
    [get('/login'), get('/echo')],
    [get('/login'), get('/echo', { headers: [{ name: 'cookie', value: 'sid=mine' }] })],
    [get('/moved', { headers: [{ name: 'x-a', value: '1' }] })],
    [get('/posted', { method: 'POST', body: { type: 'raw', text: 'x', content_type: 'text/x' } })],
    [
      get('/echo', {
        path: '/echo?x=${word}',
        query: [{ name: 'n', value: '${count}' }],
        headers: [{ name: 'n', value: '${count}' }],
      }),
    ],
  ]
  const variables = [
    { type: 'constant', name: 'word', value: 'wört #1/2' },
    { type: 'counter', name: 'count', renewed: 'each_use' },
  ]
  const more = {
    headers: [{ name: 'x-server', value: 'yes' }],
    authentication: { type: 'basic', user_name: 'ann', password: '${word}' },
  }
  const asked: string[] = []
  const watched = await startTestServer({
    ...routes,
    '/echo': (request, response, body) => {
      const headers = Object.entries(request.headers)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .toSorted((one, other) => (one < other ? -1 : 1))
      asked.push([`${request.method} ${request.url}`, ...headers, body.toString('latin1')].join('\n'))
      response.end('{}')
    },
  })
  try {
    for (const actions of documents) {
      const options = { servers: { srv: { base_url: watched.url, ...more } }, variables }
      asked.length = 0
      const { results } = await run(actions, options)
      const checked = asked.splice(0)
      const sums = await load(actions, { ...options, model: users(1, 1) })
      expect({ actions, asked }).toEqual({ actions, asked: checked })
      expect(checked).toHaveLength(1)
      expect(sums.samples.map(({ failure }) => failure)).toEqual(
        results.flatMap(({ failure }) => (failure === null ? [] : [failure])),
      )
    }
  } finally {
    await watched.stop()
  }
})

test('checks find and fail as in a check', async () => {
  const actions = [
    get('/login', {
      extractors: [
        { type: 'json_path', id: 'e1', variable: 'sku', path: '$.items[0].sku' },
        { type: 'regex', id: 'e2', variable: 'id', pattern: '"id":(\\d+)' },
        { type: 'cookie', id: 'e3', variable: 'sid', name: 'sid' },
      ],
      assertions: [{ type: 'body_contains', id: 'a1', text: 'items' }],
    }),
    get('/gzip', { extractors: [{ type: 'json_path', id: 'e4', variable: 'zipped', path: '$.id' }] }),
    get('/', {
      query: [{ name: 'q', value: '${sku} ${id} ${sid} ${zipped}' }],
      assertions: [{ type: 'body_equals', id: 'a2', text: 'hello' }],
    }),
    get('/missing', { assertions: [{ type: 'status', id: 'a3', allowed: ['404'] }] }),
    get('/echo', {
      assertions: [{ type: 'json_path', id: 'a4', path: '$.method', equals: 'POST' }],
    }),
    get('/error', { extractors: [{ type: 'json_path', id: 'e5', variable: 'lost', path: '$.x' }] }),
    get('/lost', { path: '/echo/${lost}' }),
    get('/none', { path: '/', extractors: [{ type: 'css', id: 'e6', variable: 'gone', selector: '#gone' }] }),
    get('/circle', { redirects: { max: 3 } }),
  ]
  const { results } = await run(actions, { servers: servers() })
  const sums = await load(actions, { servers: servers(), model: users(2, 3) })
  expect(server.seen).toContain('GET /?q=a-1%207%20s1%20zipped')
  const told = (of: (id: string) => unknown) => results.map(({ actionId }) => [actionId, of(actionId)])
  expect(told((id) => sums.counter(id, 'count'))).toEqual(told(() => 6))
  expect(told((id) => Object.values(sums.errors(id)).reduce((sum, count) => sum + count, 0))).toEqual(
    results.map(({ actionId, outcome }) => [actionId, outcome === 'failed' ? 6 : 0]),
  )
  expect(sums.errors('/echo')).toEqual({ assertion: 6 })
  expect(sums.errors('/error')).toEqual({ status_5xx: 6 })
  expect(sums.errors('/lost')).toEqual({ other: 6 })
  expect(sums.errors('/none')).toEqual({ extractor: 6 })
  const words = new Map(sums.samples.map(({ action, failure }) => [actions[action]?.id, failure]))
  expect(told((id) => words.get(id) ?? null)).toEqual(
    results.map(({ actionId, failure }) => [actionId, failure]),
  )
  expect(sums.profile('iterations_failed')).toBe(6)
})

test('actions inside others are done as in a check', async () => {
  const actions = [
    {
      type: 'container',
      id: 'box',
      actions: [get('/'), { type: 'loop', id: 'loop', count: '3', actions: [get('/login')] }],
    },
    {
      type: 'if',
      id: 'if',
      condition: { comparisons: [{ left: '1', operator: 'equals', right: '2' }] },
      actions: [get('/error')],
      else_actions: [get('/echo')],
    },
    { type: 'once', id: 'once', actions: [get('/gzip')] },
    set('i', '0'),
    {
      type: 'while',
      id: 'while',
      condition: { comparisons: [{ left: '${i}', operator: 'less', right: '2' }] },
      actions: [set('i', '${n}')],
    },
    {
      type: 'for_each',
      id: 'each',
      list: 'names',
      variable: 'name',
      actions: [get('/named', { path: '/', query: [{ name: 'n', value: '${name}' }] })],
    },
    { type: 'container', id: 'bad', actions: [get('/missing')] },
    { type: 'loop', id: 'wrong', count: 'many', actions: [] },
    { type: 'delay', id: 'delay', duration: { distribution: 'constant', ms: 1 } },
    { type: 'script', id: 'script', source: "vars.set('x', response.status)" },
    { type: 'container', id: 'off', enabled: false, actions: [get('/')] },
  ]
  const variables = [
    { type: 'list', name: 'names', values: ['a', 'b'] },
    { type: 'counter', name: 'n', renewed: 'each_use', sharing: 'per_user' },
  ]
  const sums = await load(actions, { servers: servers(), variables, model: users(2, 2) })
  const count = (id: string) => sums.counter(id, 'count')
  expect(
    ['box', '/', 'loop', '/login', '/error', '/echo', '/gzip', 'each', '/named', 'bad', 'script'].map(count),
  ).toEqual([4, 4, 4, 12, 0, 4, 2, 4, 8, 4, 4])
  expect(sums.errors('bad')).toEqual({ other: 4 })
  expect(sums.errors('wrong')).toEqual({ other: 4 })
  expect(sums.errors('box')).toEqual({})
  expect([count('off'), count('delay')]).toEqual([0, 0])
})

test('what goes wrong is told by its class', async () => {
  const silent = createTcpServer((socket) => open.add(socket.on('error', () => {})))
  const open = new Set<Socket>()
  const secure = createTlsServer(selfSignedCertificate(), (_request, response) => response.end('x'))
  for (const each of [silent, secure])
    await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))
  const free = createTcpServer()
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
  const closedPort = portOf(free)
  await new Promise((resolve) => free.close(resolve))
  const noHttp = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-x\r\n'))
  await new Promise<void>((resolve) => noHttp.listen(0, '127.0.0.1', resolve))
  const gate = {
    resolve: (host: string, port: number) =>
      host === 'nowhere.test'
        ? Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
        : loopbackGate.resolve(host, port),
  }
  try {
    const sums = await load(
      [
        get('/never', { timeout_ms: 50 }),
        get('/reset'),
        get('/error', { headers: [{ name: 'x-key', value: '${key}' }] }),
        get('/missing'),
        get('closed', { server_id: 'closed', path: '/' }),
        get('silent', { server_id: 'silent', path: '/', timeout_ms: 50 }),
        get('tls', { server_id: 'tls', path: '/' }),
        get('dns', { server_id: 'dns', path: '/' }),
        get('refused', { server_id: 'refused', path: '/' }),
        get('protocol', { server_id: 'protocol', path: '/' }),
      ],
      {
        servers: {
          ...servers(),
          closed: { base_url: `http://127.0.0.1:${closedPort}` },
          silent: { base_url: `http://127.0.0.1:${portOf(silent)}` },
          tls: { base_url: `https://127.0.0.1:${portOf(secure)}` },
          dns: { base_url: 'http://nowhere.test' },
          refused: { base_url: 'http://192.0.2.1' },
          protocol: { base_url: `http://127.0.0.1:${portOf(noHttp)}` },
        },
        variables: [{ type: 'secret', name: 'key' }],
        secrets: { key: 'k3y-secret' },
        gate,
        model: users(2, 4),
      },
    )
    const classes = Object.fromEntries(
      ['/never', '/reset', '/error', '/missing', 'closed', 'silent', 'tls', 'dns', 'refused', 'protocol'].map(
        (id) => [id, sums.errors(id)],
      ),
    )
    expect(classes).toEqual({
      '/never': { timeout: 8 },
      '/reset': { reset: 8 },
      '/error': { status_5xx: 8 },
      '/missing': { status_4xx: 8 },
      closed: { connect: 8 },
      silent: { timeout: 8 },
      tls: { tls: 8 },
      dns: { dns: 8 },
      refused: { refused_target: 8 },
      protocol: { protocol: 8 },
    })
    // Of each kind a few are kept, and none with a secret.
    const errors = sums.samples.filter(({ errorClass }) => errorClass === 'status_5xx')
    expect(errors).toHaveLength(5)
    expect(errors[0]?.exchange?.response?.body?.content).toBe('overloaded: •••')
    expect(JSON.stringify(sums.samples)).not.toContain('k3y-secret')
    expect(sums.recorded('/error', 'serviceTime')).toBe(8)
    expect(sums.recorded('closed', 'serviceTime')).toBe(0)
  } finally {
    for (const socket of open) socket.destroy()
    for (const each of [silent, secure, noHttp]) each.close()
  }
})

const ascending = (values: readonly number[]) => values.toSorted((one, other) => one - other)
const shareOf = (values: readonly number[], share: number) =>
  ascending(values)[Math.ceil(values.length * share) - 1] ?? NaN

/** Answers after `delayMs`, and measures by itself how long each took. */
async function measuredServer(delayMs: (count: number) => number) {
  const tookMs: number[] = []
  let count = 0
  const measured = await startTestServer({
    '/': (_request, response) => {
      const began = performance.now()
      response.on('finish', () => tookMs.push(performance.now() - began))
      setTimeout(() => response.end('x'), delayMs(count++))
    },
  })
  return { ...measured, tookMs }
}

test.each([
  ['fixed', () => 30],
  ['bimodal', (count: number) => (count % 10 === 9 ? 200 : 20)],
])('percentiles are those that the server measured: %s', async (_name, delayMs) => {
  const measured = await measuredServer(delayMs)
  try {
    const sums = await load([get('/')], {
      servers: { srv: { base_url: measured.url } },
      model: users(10, 20),
    })
    expect(measured.tookMs).toHaveLength(200)
    // What lies between its clock and ours: turns of the one event loop that both are in, at each end.
    const slackMs = 10 + (3 * Math.max(...sums.gauges('event_loop_delay_max_us'))) / 1000
    for (const share of [0.1, 0.5, 0.85, 0.95, 0.99, 1]) {
      const truth = shareOf(measured.tookMs, share)
      for (const time of ['serviceTime', 'responseTime'] as const) {
        expect(sums.percentile('/', time, share)).toBeGreaterThan(truth * 0.999 - 1)
        expect(sums.percentile('/', time, share)).toBeLessThan(truth * 1.001 + slackMs)
      }
    }
    const sum = sums.counter('/', 'wait_us') / 1000
    expect(sum).toBeGreaterThan(measured.tookMs.reduce((all, each) => all + each, 0) * 0.99)
  } finally {
    await measured.stop()
  }
})

test('an open load tells a stall as those who arrive in it have it', async () => {
  const perSecond = 400
  const count = 1200
  let zero = NaN
  let next = 0
  let stalledUntil = 0
  let seen = 0
  const answeredAtMs: number[] = []
  const stalling = await startTestServer({
    '/': (_request, response) => {
      if (++seen === 400) stalledUntil = performance.now() + 1000
      const answer = () => {
        answeredAtMs.push(performance.now())
        response.end('x')
      }
      const wait = stalledUntil - performance.now()
      if (wait <= 0) answer()
      else setTimeout(answer, wait)
    },
  })
  try {
    const sums = await load([get('/')], {
      servers: { srv: { base_url: stalling.url } },
      model: {
        type: 'open',
        usersMax: 10,
        nextArrivalMs: () => {
          if (next === 0) zero = performance.now()
          return next === count ? Infinity : (next++ * 1000) / perSecond
        },
      },
    })
    // Nothing is left out: what no user is free for waits.
    expect([sums.profile('arrivals_due'), sums.counter('/', 'count'), stalling.seen.length]).toEqual([
      count,
      count,
      count,
    ])
    expect(sums.outcome?.unsentArrivals).toEqual([0])
    expect(sums.profile('users_started')).toBeLessThanOrEqual(10)
    // Worked out: whoever arrives waits until the server answers, and it answers them in the order in which they came. After the stall
    // that takes as long as a machine needs for 400 of them.
    const truth = answeredAtMs.map((at, index) => at - zero - (index * 1000) / perSecond)
    expect(Math.max(...truth)).toBeGreaterThan(900)
    const slackMs = 20 + (3 * Math.max(...sums.gauges('event_loop_delay_max_us'))) / 1000
    for (const share of [0.75, 0.9, 0.99]) {
      const expected = shareOf(truth, share)
      expect(expected).toBeGreaterThan(100)
      const told = sums.percentile('/', 'responseTime', share)
      expect(told).toBeGreaterThan(expected * 0.95 - 5)
      expect(told).toBeLessThan(expected * 1.05 + slackMs)
    }
    // The ten that were under way are all that saw the stall: less than one in a hundred.
    expect(sums.percentile('/', 'serviceTime', 0.99)).toBeLessThan(shareOf(truth, 0.99) / 2)
    expect(sums.profile('arrivals_late')).toBeGreaterThan(300)
  } finally {
    await stalling.stop()
  }
})

test('a load ends at its next steps when it is stopped, and cuts off what does not end', async () => {
  const stopping = new AbortController()
  const before = seenBy('/never')
  const running = load(
    [
      get('/'),
      { type: 'delay', id: 'delay', duration: { distribution: 'constant', ms: 60_000 } },
      get('/echo'),
    ],
    { servers: servers(), model: users(5), signal: stopping.signal },
  )
  const hanging = load([get('/never')], {
    servers: servers(),
    model: users(3),
    signal: stopping.signal,
    drainMs: 100,
  })
  while (seenBy('/never') < before + 3) await new Promise((resolve) => setTimeout(resolve, 5))
  stopping.abort()
  const [ended, cutOff] = await Promise.all([running, hanging])
  expect(ended.outcome).toMatchObject({ cutOff: 0 })
  expect(ended.counter('/', 'count')).toBe(ended.profile('users_started'))
  expect(ended.counter('/echo', 'count')).toBe(0)
  expect(cutOff.outcome).toMatchObject({ cutOff: 3 })
  expect(cutOff.errors('/never')).toEqual({ other: 3 })
  expect(cutOff.profile('users_ended')).toBe(3)
})

test('users come and go as they are wanted, also when that changes', async () => {
  let wanted = 6
  const sums = await load([get('/fixed')], {
    servers: servers(),
    model: { type: 'closed', wantedUsers: () => wanted, usersMax: 9, iterationsMax: null },
    durationMs: 1500,
    with: (generator) => {
      setTimeout(() => (wanted = 2), 400)
      setTimeout(() => generator.setWantedUsers(0, () => 9, 9), 900)
    },
  })
  expect(sums.profile('users_started')).toBe(6 + 7)
  expect(sums.profile('users_ended')).toBe(13)
  expect(sums.profile('iterations')).toBe(sums.counter('/fixed', 'count'))
  expect(sums.errors('/fixed')).toEqual({})
})

test('a load whose users begin one after the other is over when all of them have done all', async () => {
  const model: LoadModel = {
    type: 'closed',
    wantedUsers: (elapsedMs) => Math.min(3, 1 + Math.floor(elapsedMs / 300)),
    usersMax: 3,
    iterationsMax: 2,
  }
  const sums = await load([get('/')], { servers: servers(), model, durationMs: 600_000 })
  expect(sums.profile('users_started')).toBe(3)
  expect(sums.counter('/', 'count')).toBe(6)
})

test.each([1, null])(
  'a load without users, such as a part of another one may be, is over at once, with %s iterations',
  async (iterations) => {
    const model = users(0, iterations)
    const sums = await load([get('/')], { servers: servers(), model, durationMs: 600_000 })
    expect(sums.counter('/', 'count')).toBe(0)
  },
)

test('a load without users goes on to its end where it may get those of others', async () => {
  const sums = await load([get('/')], {
    servers: servers(),
    model: { ...users(0), mayTakeOver: true },
    durationMs: 600,
    with: (generator) => setTimeout(() => generator.setWantedUsers(0, () => 2, 2), 200),
  })
  expect(sums.profile('users_started')).toBe(2)
})

test('users share the rows of a file, and end when there are no more', async () => {
  const sums = await load([get('/rows', { path: '/', query: [{ name: 'row', value: '${row}' }] })], {
    servers: servers(),
    variables: [{ type: 'csv', name: 'rows', path: 'rows.csv', order: 'unique' }],
    files: { 'rows.csv': `row\n${Array.from({ length: 50 }, (_, index) => `r${index}`).join('\n')}` },
    model: users(4, 1000),
  })
  const rows = server.seen.flatMap((line) => /row=(r\d+)/.exec(line)?.[1] ?? [])
  expect(new Set(rows).size).toBe(50)
  expect(rows).toHaveLength(50)
  expect(sums.outcome?.words).toEqual([
    'The variable row has no more values, and the virtual user ends then.',
  ])
  expect(sums.outcome?.outOfRows).toEqual(['rows'])
})

const rowsFile = (more: object) => ({
  variables: [{ type: 'csv', name: 'rows', path: 'rows.csv', at_end: 'stop', ...more }],
  files: { 'rows.csv': 'row\nr0\nr1\nr2' },
})
const ofRow = [get('/of-row', { path: '/', query: [{ name: 'of', value: '${row}' }] })]
/** Users who come one after the other, for ten minutes. */
const rising: LoadModel = {
  type: 'closed',
  wantedUsers: (elapsedMs) => 1 + elapsedMs / 50,
  usersMax: 9000,
  iterationsMax: null,
}
const arriving = (): LoadModel => {
  let due = 0
  return { type: 'open', nextArrivalMs: () => (due += 20), usersMax: 10 }
}

test.each([
  ['all users share them', rising, {}, 3],
  ['each user has them for itself', users(2), { sharing: 'per_user' }, 6],
  ['users come when they are due', arriving(), {}, 3],
  ['each user that arrives keeps one', { ...arriving(), usersMax: 1 }, { order: 'unique' }, 3],
] as const)(
  'a load is over when there are no more rows for its users: %s',
  async (_how, model, more, rows) => {
    const sums = await load(ofRow, { servers: servers(), ...rowsFile(more), model, durationMs: 600_000 })
    expect(sums.counter('/of-row', 'count')).toBe(rows)
    expect(sums.outcome?.outOfRows).toEqual(['rows'])
  },
)

test('users who have their row for good go on when there are no more rows', async () => {
  const more = { order: 'unique', renewed: 'once' }
  const closed = await load(ofRow, {
    servers: servers(),
    ...rowsFile(more),
    model: users(5),
    durationMs: 300,
  })
  expect(closed.counter('/of-row', 'count')).toBeGreaterThan(3)
  expect(closed.profile('users_started')).toBe(3)
  expect(closed.outcome?.outOfRows).toEqual([null])
  const limited = await load(ofRow, { servers: servers(), ...rowsFile(more), model: users(5, 4) })
  expect(limited.counter('/of-row', 'count')).toBe(12)
  expect(limited.outcome?.outOfRows).toEqual([null])
})

test('what the cache of a user has is not asked for again, and not counted', async () => {
  const seen = await counted('/cached', async () => {
    const sums = await load(
      [
        get('/cached'),
        cachedAgain('/again', { extractors: [{ type: 'regex', variable: 'x', pattern: '(ca)' }] }),
        cachedAgain('/wrong', { assertions: [{ type: 'body_equals', text: 'other' }] }),
        get('/found', { path: '/${x}' }),
      ],
      { servers: servers(), model: users(3, 2) },
    )
    // Nothing was measured of what nobody was asked for, unless it is wrong.
    expect([sums.counter('/cached', 'count'), sums.counter('/again', 'count')]).toEqual([6, 0])
    expect(sums.errors('/wrong')).toEqual({ assertion: 6 })
    expect(sums.recorded('/wrong', 'serviceTime')).toBe(0)
    expect(sums.profile('iterations_failed')).toBe(6)
    expect(sums.recorded('/found', 'serviceTime')).toBe(6)
  })
  expect(seen).toBe(6)
})

test('connections that the server closes are opened again', async () => {
  const sums = await load([get('/close'), get('/')], { servers: servers(), model: users(2, 5) })
  expect([sums.errors('/close'), sums.errors('/')]).toEqual([{}, {}])
  expect(sums.counter('/', 'connections_opened')).toBe(10)
  // One that is closed while nobody looks is found out by the next request, which is sent once more.
  let connections = 0
  const shy = createTcpServer((socket) => {
    const isFirst = connections++ === 0
    let requests = 0
    socket
      .on('error', () => {})
      .on('data', () => {
        if (++requests === 2 && isFirst) socket.resetAndDestroy()
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx')
      })
  })
  await new Promise<void>((resolve) => shy.listen(0, '127.0.0.1', resolve))
  try {
    const again = await load([get('/'), get('/x')], {
      servers: { srv: { base_url: `http://127.0.0.1:${portOf(shy)}` } },
      model: users(1, 1),
    })
    expect([again.errors('/'), again.errors('/x'), connections]).toEqual([{}, {}, 2])
  } finally {
    shy.close()
  }
})

test('over TLS, with certificates checked', async () => {
  const certificate = selfSignedCertificate()
  const secure = createTlsServer(certificate, (_request, response) => response.end('x'))
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  try {
    const base = { base_url: `https://127.0.0.1:${portOf(secure)}` }
    const open = await load([get('/')], {
      servers: { srv: { ...base, tls: { verify: false } } },
      model: users(3, 10),
    })
    expect([open.counter('/', 'count'), open.errors('/'), open.counter('/', 'connections_opened')]).toEqual([
      30,
      {},
      3,
    ])
    expect(open.counter('/', 'tls_us')).toBeGreaterThan(0)
    const checked = await load([get('/')], { servers: { srv: base }, model: users(1, 1) })
    expect(checked.errors('/')).toEqual({ tls: 1 })
    expect(checked.samples[0]?.failure).toContain('signed by nobody but itself')
  } finally {
    secure.close()
  }
})
