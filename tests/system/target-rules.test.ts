import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations, type Operation, type OutputOf } from '@flamegate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callRest } from './calls.ts'
import { apiToken, signUp } from './person.ts'

/** Where virtual users may go, seen through a validation. The platform of the tests allows loopback, and nothing was verified. */

/** What was asked of the one server that may be asked. */
const asked: { path: string; host: string }[] = []
const inside = 'http://10.0.0.1/latest/'
const shopServer = createServer((request: IncomingMessage, response) => {
  const url = new URL(request.url ?? '', 'http://shop')
  asked.push({ path: url.pathname, host: request.headers.host ?? '' })
  const to = url.searchParams.get('to')
  if (to !== null) {
    response.writeHead(url.pathname === '/repeat' ? 307 : 302, { location: to }).end()
    return
  }
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(`<title>Shop</title><img src="${inside}image.png"><link rel="stylesheet" href="/own.css">
    <script>
      const done = []
      const tell = (what) => () => { done.push(what); if (done.length === 3) document.title = 'tried' }
      fetch('${inside}fetched', { mode: 'no-cors' }).then(tell('fetch'), tell('fetch'))
      new WebSocket('ws://169.254.169.254/socket').onerror = tell('socket')
      fetch('/away?to=' + encodeURIComponent('${inside}redirected'), { mode: 'no-cors' }).then(tell('hop'), tell('hop'))
    </script>`)
})

let token: string
let projectId: string
let shop = ''

beforeAll(async () => {
  shopServer.listen(0, '127.0.0.1')
  await once(shopServer, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  shop = `127.0.0.1:${(shopServer.address() as AddressInfo).port}`
  const ada = await signUp('Ada')
  token = await apiToken(ada, ['read', 'write', 'run'])
  const { project } = await call(operations.createProject, { workspace_id: ada.workspaceId, name: 'Targets' })
  projectId = project.id
})
afterAll(() => shopServer.close())

async function call<O extends Operation>(operation: O, input: Record<string, unknown>): Promise<OutputOf<O>> {
  const outcome = await callRest(operation, input, { token })
  if (outcome.answer === undefined || outcome.code !== undefined)
    throw new Error(`${operation.id}: ${outcome.code} ${outcome.text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- operations answer what the contract says
  return outcome.answer as OutputOf<O>
}

let made = 0

async function serverAt(host: string, scheme = 'http'): Promise<string> {
  const { http_server } = await call(operations.createHttpServer, {
    project_id: projectId,
    name: `Server ${++made}`,
    base_url: `${scheme}://${host}`,
  })
  return http_server.id
}

/** What became of actions, done one after the other. */
async function validate(actions: readonly Record<string, unknown>[]) {
  const { virtual_user } = await call(operations.createVirtualUser, {
    project_id: projectId,
    name: `User ${++made}`,
    document: { actions: actions.map((action, index) => ({ id: `act_${index}`, ...action })) },
  })
  const { validation, task_id } = await call(operations.validateVirtualUser, {
    virtual_user_id: virtual_user.id,
  })
  for (;;) {
    const { next_poll_seconds } = await call(operations.getTaskResult, { task_id })
    if (next_poll_seconds === null) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const details = actions.map((_action, index) =>
    call(operations.getValidationFailureDetail, { validation_id: validation.id, action_id: `act_${index}` }),
  )
  return Promise.all(details)
}

type Seen = Awaited<ReturnType<typeof validate>>[number]

async function seen(action: Record<string, unknown>): Promise<Seen> {
  const [one] = await validate([action])
  if (one === undefined) throw new Error('It was not done')
  return one
}

const get = (server_id: string, path: string, change: Record<string, unknown> = {}) => ({
  type: 'http_request',
  method: 'GET',
  server_id,
  path,
  ...change,
})

const unverified = /is no verified target of this project/

describe('an address of the inside is not asked, however it is written', () => {
  const hosts = [
    ['10.0.0.1', 'private'],
    ['192.168.1.1:8080', 'private, another port'],
    ['169.254.169.254', 'metadata'],
    ['0.0.0.0', 'this host'],
    ['167772161', 'decimal'],
    ['012.0.0.1', 'octal'],
    ['0xa.1', 'hexadecimal and short'],
    ['[::ffff:10.0.0.1]', 'version 4 in version 6'],
    ['[::ffff:127.0.0.1]', 'loopback as version 4 in version 6'],
    ['[fd00::1]', 'private, version 6'],
    ['metadata.google.internal', 'a name of the inside'],
    ['localhost.example.com', 'a name like one that is allowed'],
    ['${inner_host}', 'a variable'],
  ] as const
  let found = new Map<string, Seen>()

  beforeAll(async () => {
    const variable = { project_id: projectId, name: 'inner_host', type: 'constant', value: '10.0.0.1' }
    await call(operations.createVariable, variable)
    const servers = await Promise.all(hosts.map(([host]) => serverAt(host)))
    const details = await validate(servers.map((server) => get(server, '/')))
    found = new Map(details.map((detail, index) => [hosts[index]?.[0] ?? '', detail]))
  })

  test.each(hosts)('%s (%s)', (host) => {
    const action = found.get(host)?.action
    expect(action).toMatchObject({ outcome: 'failed', status: null })
    expect(action?.failure).toMatch(unverified)
  })

  test('as the whole address in the path, or behind another one that stands for a user name', async () => {
    const [path, userName] = await validate([
      get(await serverAt(shop), inside),
      get(await serverAt(`${shop}@10.0.0.1`), '/'),
    ])
    expect(path?.action.failure).toMatch(unverified)
    expect(userName?.action).toMatchObject({ outcome: 'failed', status: null })
  })
})

test('loopback, which this installation allows, is asked in every notation', async () => {
  const [, port = ''] = shop.split(':')
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', 'localhost']
  const servers = await Promise.all(hosts.map((host) => serverAt(`${host}:${port}`)))
  for (const { action } of await validate(servers.map((server) => get(server, '/plain'))))
    expect(action).toMatchObject({ outcome: 'passed', status: 200 })
})

test('no redirect to the inside is followed', async () => {
  const server = await serverAt(shop)
  const hops = [
    ['/hop', inside],
    ['/repeat', 'http://169.254.169.254/latest/meta-data/'],
    ['/hop', 'http://[::ffff:a00:1]/'],
    ['/hop', 'http://167772161/'],
    ['/hop', 'http://012.0.0.1/'],
    ['/hop', 'http://metadata.google.internal/'],
  ] as const
  const details = await validate(
    hops.map(([path, to]) => get(server, path, { query: [{ name: 'to', value: to }] })),
  )
  for (const { action, exchanges } of details) {
    expect(action.outcome).toBe('failed')
    expect(action.failure).toMatch(unverified)
    expect(exchanges.map(({ role, status }) => [role, status])).toEqual([
      ['main', null],
      ['redirect', action.action_id === 'act_1' ? 307 : 302],
    ])
  }
})

test('a redirect to what is no web address is not followed', async () => {
  const query = [{ name: 'to', value: 'file:///etc/passwd' }]
  const { action } = await seen(get(await serverAt(shop), '/hop', { query }))
  expect(action.failure).toContain('only http and https can')
})

test('a Host header names no other host', async () => {
  asked.length = 0
  const headers = [{ name: 'Host', value: 'internal.example.com' }]
  const { action } = await seen(get(await serverAt(shop), '/plain', { headers }))
  expect(action.failure).toMatch(unverified)
  expect(asked).toEqual([])
})

test('a WebSocket is opened only where a request may go', async () => {
  const connect = { type: 'websocket', operation: 'connect', path: '/live' }
  const { action } = await seen({ ...connect, server_id: await serverAt('10.0.0.1') })
  expect(action.failure).toMatch(unverified)
})

test('what a page names on the inside is left out, and its own is loaded', async () => {
  asked.length = 0
  const { action, messages } = await seen(
    get(await serverAt(shop), '/page', { resources: { mode: 'parsed' } }),
  )
  expect(action.outcome).toBe('passed')
  expect(messages.join()).toMatch(/Not loaded: 10\.0\.0\.1:80: .*no verified target/)
  expect(asked.map(({ path }) => path)).toEqual(['/page', '/own.css'])
})

test('a real browser reaches nothing on the inside: no picture, no script, no WebSocket, no redirect', async () => {
  const server_id = await serverAt(shop)
  const steps = [
    { type: 'goto', id: 'step_1', server_id, path: '/page' },
    { type: 'expect', id: 'step_2', what: 'title', expected: 'tried', timeout_ms: 20_000 },
  ]
  const { action, messages } = await seen({ type: 'page', steps })
  expect(action.failure).toBeNull()
  const refused = messages.filter((message) => message.includes('was refused'))
  expect(new Set(refused.map((message) => message.split(' ')[0]?.split(':')[0]))).toEqual(
    new Set(['10.0.0.1', '169.254.169.254']),
  )
})

test('a host that is not verified stays so after a look that found nothing', async () => {
  const input = { project_id: projectId, host: 'nothing.invalid' }
  expect(await call(operations.verifyTarget, input)).toMatchObject({ is_verified: false })
  expect(await call(operations.verifyTarget, input)).toMatchObject({ is_verified: false })
  const { action } = await seen(get(await serverAt('nothing.invalid'), '/'))
  expect(action.failure).toMatch(unverified)
})
