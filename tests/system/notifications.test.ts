import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { platform, signUp, type Person } from './person.ts'

/** A project that tells others: a server of ours in place of a webhook, and of GitHub. */

interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

const commitHash = 'abcdef0123456789abcdef0123456789abcdef01'
const githubToken = 'github_pat_0123456789abcdef'

let elsewhere: { url: string; received: Received[]; close(): void }
let owner: Person
let projectId: string

beforeAll(async () => {
  elsewhere = await startElsewhere()
  owner = await signUp('Owner')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Telling',
    repository: 'acme/telling',
  })
  projectId = project.id
})
afterAll(() => elsewhere?.close())

async function startElsewhere() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      received.push({ method, path: url, headers, body: Buffer.concat(pieces).toString() })
      // The ping is taken, and the first message after it is not.
      const isRefused = url === '/hook' && received.filter(({ path }) => path === '/hook').length === 2
      const status = isRefused ? 500 : 200
      response.writeHead(status).end(url.includes('/comments?') ? '[]' : '{"id":1}')
    })
  }).listen(inject('githubApiPort'), '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    received,
    close: () => server.close().closeAllConnections(),
  }
}

function submit(branch: string, ns: number, change: { pull_request?: number } = {}) {
  const rounds = Array.from({ length: 10 }, (_, round) => `BenchmarkRoute-2 1000 ${ns + (round % 5)} ns/op\n`)
  return owner.client.call(operations.submitBenchmarkResults, {
    repository: projectId,
    branch,
    commit_hash: commitHash,
    results: `goos: linux\npkg: example.com/router\n${rounds.join('')}PASS\n`,
    ...change,
  })
}

/** By the specification: https://github.com/standard-webhooks/standard-webhooks */
function isGenuine({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const text = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

test('a webhook is tried out, told of a run, and told again what it did not take', async () => {
  const { webhook, secret } = await owner.client.call(operations.setWebhook, {
    project_id: projectId,
    target_url: `${elsewhere.url}/hook`,
    events: ['run.completed'],
  })
  const ping = await owner.client.call(operations.testWebhook, { webhook_id: webhook.id })
  expect(ping).toMatchObject({ was_delivered: true, response_status: 200, response_excerpt: '{"id":1}' })

  const { run } = await submit('main', 100)
  const messages = () => elsewhere.received.filter(({ path }) => path === '/hook')
  await expect.poll(() => messages().length).toBe(3)
  const [first, refused, again] = messages()
  expect(messages().map((message) => isGenuine(message, secret ?? ''))).toEqual([true, true, true])
  expect(JSON.parse(first?.body ?? '')).toMatchObject({ type: 'ping', data: { webhook_id: webhook.id } })
  expect(JSON.parse(refused?.body ?? '')).toMatchObject({
    type: 'run.completed',
    version: 1,
    data: {
      run: { id: run.id, url: `${platform().url}/runs/${run.id}` },
      base_run: null,
      verdict_counts: null,
    },
  })
  expect(again?.body).toBe(refused?.body)
  const list = async () =>
    (await owner.client.call(operations.listDeliveries, { project_id: projectId })).deliveries
  await expect
    .poll(list)
    .toMatchObject([{ state: 'delivered', attempt_count: 2, response_status: 200, event: 'run.completed' }])

  const [delivery] = await list()
  await owner.client.call(operations.repeatDelivery, { delivery_id: delivery?.id ?? '' })
  await expect.poll(() => messages().length).toBe(4)
  expect(messages()[3]?.headers['webhook-id']).toBe(delivery?.id)
  await owner.client.call(operations.deleteWebhook, { webhook_id: webhook.id })
})

test('a run of a pull request is reported to GitHub, with a token that nobody sees again', async () => {
  const set = await owner.client.call(operations.setGithubReport, {
    project_id: projectId,
    token: githubToken,
  })
  expect(set).toMatchObject({
    is_active: true,
    api_url: `${elsewhere.url}/api/v3`,
    repository: 'acme/telling',
  })
  expect(JSON.stringify(set)).not.toContain(githubToken)
  await submit('fix', 150, { pull_request: 7 })
  const requests = () => elsewhere.received.filter(({ path }) => path.startsWith('/api/v3/'))
  await expect.poll(() => requests().length).toBe(4)
  expect(requests().map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST /api/v3/repos/acme/telling/statuses/${commitHash}`,
    'GET /api/v3/user',
    'GET /api/v3/repos/acme/telling/issues/7/comments?per_page=100&page=1',
    'POST /api/v3/repos/acme/telling/issues/7/comments',
  ])
  expect(requests()[0]?.headers.authorization).toBe(`Bearer ${githubToken}`)
  expect(JSON.parse(requests()[0]?.body ?? '')).toMatchObject({ state: 'failure' })
  expect(JSON.parse(requests()[3]?.body ?? '').body).toContain('BenchmarkRoute')
})

async function look(url: string) {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('a badge is there for everybody with its address, and for nobody after it got a new one', async () => {
  const { image_url, markdown } = await owner.client.call(operations.setBadge, {
    project_id: projectId,
    is_public: true,
  })
  const address = image_url ?? ''
  expect(markdown).toContain(address)
  const badge = await look(address)
  expect(badge).toMatchObject({ status: 200, text: expect.stringContaining('no regressions') })
  expect(badge.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(badge.headers.get('cache-control')).toBe('public, max-age=60')
  expect(badge.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect((await look(`${address}?branch=none`)).text).toContain('no runs')
  const { benchmarks } = await owner.client.call(operations.listBenchmarks, { repository: projectId })
  const value = await look(`${address}?benchmark=${encodeURIComponent(benchmarks[0]?.uri ?? '')}`)
  expect(value.text).toMatch(/10\d(\.\d+)? ns/)

  const renewed = await owner.client.call(operations.setBadge, {
    project_id: projectId,
    is_public: true,
    new_address: true,
  })
  const [old, never] = [await look(address), await look(`${platform().url}/v1/badges/${'0'.repeat(32)}.svg`)]
  expect([old.status, old.text]).toEqual([404, never.text])
  expect((await look(renewed.image_url ?? '')).status).toBe(200)
})

test('an address inside our network is refused before anything is sent there', async () => {
  const set = (target_url: string) =>
    owner.client.call(operations.setWebhook, { project_id: projectId, target_url })
  await expect(set('http://hooks.example.com/')).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(set('https://user:secret@hooks.example.com/')).rejects.toMatchObject({ code: 'invalid_input' })
  const { webhook } = await set('https://169.254.169.254/latest')
  const outcome = await owner.client.call(operations.testWebhook, { webhook_id: webhook.id })
  expect(outcome).toMatchObject({ was_delivered: false, response_status: null })
})

test('the address of a webhook is shown to nobody but for its host, and is changed without being told', async () => {
  const host = new URL(elsewhere.url).host
  const secretPath = '/hooks/T0123456789'
  const set = (
    change: Omit<Parameters<typeof owner.client.call<typeof operations.setWebhook>>[1], 'project_id'>,
  ) => owner.client.call(operations.setWebhook, { project_id: projectId, ...change })
  const made = await set({ target_url: `${elsewhere.url}${secretPath}`, events: ['alert.resolved'] })
  const webhook_id = made.webhook.id
  expect(made.webhook.target).toBe(host)
  const told = await owner.client.call(operations.listWebhooks, { project_id: projectId })
  expect(JSON.stringify([made, told])).not.toContain(secretPath)
  // Whoever changes something else leaves it as it is.
  await set({ webhook_id, events: ['alert.opened'] })
  const tryOut = () => owner.client.call(operations.testWebhook, { webhook_id })
  expect(await tryOut()).toMatchObject({ was_delivered: true })
  await set({ webhook_id, target_url: `${elsewhere.url}/moved` })
  expect(await tryOut()).toMatchObject({ was_delivered: true })
  expect(elsewhere.received.map(({ path }) => path).filter((path) => /hooks|moved/.test(path))).toEqual([
    secretPath,
    '/moved',
  ])
})

test('a webhook of another workspace is a missing one', async () => {
  const { webhook } = await owner.client.call(operations.setWebhook, {
    project_id: projectId,
    target_url: 'https://hooks.invalid',
  })
  const stranger = await signUp('Stranger')
  const call = stranger.client.call(operations.testWebhook, { webhook_id: webhook.id })
  await expect(call).rejects.toMatchObject({ code: 'webhook_not_found' })
})
