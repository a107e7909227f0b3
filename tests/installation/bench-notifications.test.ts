import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLoadedProject, type LoadedProject } from '../system/loaded-project.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { messageFormats } from '../system/message-formats.ts'
import { startOwnPlatform, type OwnPlatform } from './own-platform.ts'
import { logIn, type Person } from '../system/person.ts'

/** Others are told what becomes of runs: servers of ours take what theirs would, and nothing else. */

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  status: number
}

let elsewhere: { url: string; received: Received[]; close(): void }
let mailbox: Mailbox
let own: OwnPlatform
let owner: Person
let project: LoadedProject

beforeAll(async () => {
  elsewhere = await startElsewhere()
  mailbox = await openMailbox()
  own = await startOwnPlatform({ FLAMEGATE_WEBHOOKS_TO_LOOPBACK: 'true', SMTP_URL: mailbox.url })
  owner = await logIn(own.demo.email, own.demo.password, own.url)
  project = await startLoadedProject(own.url, owner, 'Told')
})
afterAll(async () => {
  await project?.stop()
  await own?.stop()
  mailbox?.close()
  elsewhere?.close()
})

/** Answers as the vendor of the first part of a path would. */
async function startElsewhere() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method, url: path = '', headers } = request
      const body = Buffer.concat(pieces).toString()
      const isFirst = !received.some((each) => each.path === path && each.body.includes('test_failed'))
      const { status, words = '' } =
        method !== 'POST'
          ? { status: 405 }
          : path === '/http' && isFirst && body.includes('test_failed')
            ? { status: 503 }
            : answerOf(path, headers, body)
      received.push({ path, headers, body, status })
      response.writeHead(status).end(words)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    received,
    close: () => server.close().closeAllConnections(),
  }
}

interface Answer {
  status: number
  words?: string
}

/** As vendors say it: see the modules of the channels, in packages/operations/src/monitoring/channels. */
function answerOf(path: string, headers: IncomingHttpHeaders, body: string): Answer {
  if (!String(headers['content-type']).startsWith('application/json')) return { status: 415 }
  const takes = (format: keyof typeof messageFormats, taken: Answer, refusal: string): Answer =>
    messageFormats[format].safeParse(JSON.parse(body)).success ? taken : { status: 400, words: refusal }
  switch (path) {
    case '/http':
      return { status: 204 }
    case '/services/T00/B00/secret':
      return takes('slack', { status: 200, words: 'ok' }, 'invalid_blocks')
    case '/services/T00/B00/archived':
      return { status: 410, words: 'channel_is_archived' }
    case '/workflows/secret':
      return takes('teams', { status: 202 }, 'TriggerInputSchemaMismatch')
    case '/v1/spaces/AAA/messages?key=secret&token=secret':
      return takes(
        'google_chat',
        { status: 200, words: '{"name":"spaces/AAA/messages/1"}' },
        'INVALID_ARGUMENT',
      )
    case '/v1/webhooks/incoming/secret':
      return takes('webex', { status: 204 }, 'Unable to post message')
    case '/rest/api/3/issue': {
      const login = `Basic ${Buffer.from('ada@example.com:jira-secret').toString('base64')}`
      if (headers.authorization !== login) return { status: 401, words: 'Client must be authenticated' }
      if (!/"issuetype":\{"name":"(?:Bug|Task)"\}/.test(body))
        return {
          status: 400,
          words: '{"errorMessages":[],"errors":{"issuetype":"Specify a valid issue type"}}',
        }
      return takes('jira', { status: 201, words: '{"id":"10000","key":"PERF-1"}' }, 'INVALID_INPUT')
    }
    default:
      return { status: 404 }
  }
}

const set = (name: string, rest: object) =>
  owner.client.call(operations.setNotification, { workspace_id: owner.workspaceId, name, ...rest })

/** Those that were taken at a path. */
const taken = (path: string) =>
  elsewhere.received.filter((each) => each.path.startsWith(path) && each.status < 300)

const deliveriesOf = async (notificationId: string) =>
  (await owner.client.call(operations.listNotificationDeliveries, { notification_id: notificationId }))
    .deliveries

/** By the specification: https://github.com/standard-webhooks/standard-webhooks */
function isGenuine({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const text = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

test('a run that fails by an SLA is told on every channel, as its vendor wants it', async () => {
  await owner.client.call(operations.setSlaProfile, {
    project_id: project.id,
    name: 'Checkout',
    bands: [{ severity: 'critical', metric: 'duration', statistic: 'p95', from: 30 }],
    attachments: [{ virtual_user_id: project.virtualUserId, action_id: 'act_checkout' }],
  })
  const http = await set('Program', {
    channel: 'http',
    target_url: `${elsewhere.url}/http`,
    events: ['test_started', 'test_ended', 'test_failed'],
  })
  const secret = http.secret ?? ''
  await set('Slack', { channel: 'slack', target_url: `${elsewhere.url}/services/T00/B00/secret` })
  await set('Teams', { channel: 'teams', target_url: `${elsewhere.url}/workflows/secret` })
  await set('Chat', {
    channel: 'google_chat',
    target_url: `${elsewhere.url}/v1/spaces/AAA/messages?key=secret&token=secret`,
  })
  await set('Webex', { channel: 'webex', target_url: `${elsewhere.url}/v1/webhooks/incoming/secret` })
  await set('Jira', {
    channel: 'jira',
    jira: {
      base_url: elsewhere.url,
      email: 'ada@example.com',
      project_key: 'PERF',
      issue_type: 'Bug',
      api_token: 'jira-secret',
    },
  })
  await set('Mail', { channel: 'email', addresses: [own.demo.email] })
  const filtered = await set('Only large ones', {
    channel: 'slack',
    target_url: `${elsewhere.url}/services/never`,
    events: ['test_started', 'test_ended', 'test_failed', 'test_passed', 'test_error'],
    filter: { users_min: 5 },
  })
  await set('Only what passes', {
    channel: 'slack',
    target_url: `${elsewhere.url}/services/never`,
    events: ['test_passed'],
  })

  // A name that would be markup everywhere: https://docs.slack.dev/messaging/formatting-message-text
  const scenarioId = await project.createScenario('Nightly <!channel> [x](https://evil.example) & more')
  const { notifications: firing } = await owner.client.call(operations.listNotifications, {
    workspace_id: owner.workspaceId,
    scenario_id: scenarioId,
  })
  expect(firing.map(({ name }) => name)).not.toContain('Only large ones')
  expect(firing.map(({ name }) => name)).toContain('Slack')

  const done = await project.run(scenarioId)
  expect(done.bench_result.message).toBe('SLA: 1 critical of 1.')
  // The first one was refused, and is told again five seconds later.
  await expect.poll(() => taken('/http').length).toBe(2)
  const messages = elsewhere.received.filter(({ path }) => path === '/http')
  expect(messages.map(({ status }) => status)).toEqual([204, 503, 204])
  expect(messages.map((message) => isGenuine(message, secret))).toEqual([true, true, true])
  expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  const [started, refused, again] = messages
  expect(JSON.parse(started?.body ?? '')).toMatchObject({ type: 'test_started', version: 1 })
  expect(again?.body).toBe(refused?.body)
  expect(again?.headers['webhook-id']).toBe(refused?.headers['webhook-id'])
  expect(JSON.parse(again?.body ?? '')).toMatchObject({
    type: 'test_failed',
    data: {
      passed: false,
      users_max: 4,
      project: { id: project.id, name: 'Told' },
      bench_result: {
        id: done.bench_result.id,
        state: 'FINISHED',
        url: `${own.url}/projects/${project.id}/bench-results/${done.bench_result.id}`,
      },
      numbers: { count: done.numbers?.count },
      sla: [{ name: 'Checkout', severity: 'critical', of: 'Buyer, checkout' }],
    },
  })
  // Whoever is told has it a moment before it is written down that they were.
  await expect
    .poll(() => deliveriesOf(http.notification.id))
    .toMatchObject([
      { event: 'test_failed', state: 'delivered', attempt_count: 2, response_status: 204 },
      { event: 'test_started', state: 'delivered', attempt_count: 1, response_status: 204 },
    ])

  for (const path of ['/services/T00', '/workflows', '/v1/spaces', '/v1/webhooks', '/rest/api/3/issue']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect.poll(() => taken(path).length, { message: path }).toBe(1)
  }
  expect(elsewhere.received.filter(({ status }) => status === 400)).toEqual([])
  expect(taken('/services/T00')[0]?.body).toContain('&lt;!channel&gt;')
  expect(JSON.parse(taken('/rest/api/3/issue')[0]?.body ?? '')).toMatchObject({
    fields: { project: { key: 'PERF' }, issuetype: { name: 'Bug' } },
  })
  await expect.poll(() => mailbox.letters(own.demo.email).length).toBe(1)
  expect(mailbox.letters(own.demo.email)[0]).toContain(`bench-results/${done.bench_result.id}`)
  expect(elsewhere.received.some(({ path }) => path === '/services/never')).toBe(false)
  expect(await deliveriesOf(filtered.notification.id)).toEqual([])
})

test('what was told can be told once more, with the same id', async () => {
  const { notifications } = await owner.client.call(operations.listNotifications, {
    workspace_id: owner.workspaceId,
  })
  const slack = notifications.find(({ name }) => name === 'Slack')
  const [delivery] = await deliveriesOf(slack?.id ?? '')
  await owner.client.call(operations.repeatDelivery, { delivery_id: delivery?.id ?? '' })
  await expect.poll(() => taken('/services/T00').length).toBe(2)
  const [first, second] = taken('/services/T00')
  expect(second?.body).toBe(first?.body)
  const { deliveries } = await owner.client.call(operations.listDeliveries, { project_id: project.id })
  expect(deliveries).toEqual([])
})

test('one real message is sent to try a notification out, and no second one at once', async () => {
  const { notification } = await set('Teams', {})
  const trial = () => owner.client.call(operations.testNotification, { notification_id: notification.id })
  expect(await trial()).toMatchObject({ was_delivered: true, response_status: 202 })
  expect(taken('/workflows').at(-1)?.body).toContain('A trial of the notification Teams')
  await expect(trial()).rejects.toMatchObject({ code: 'rate_limited' })
})

test('secrets are written and never read', async () => {
  const target_url = `${elsewhere.url}/http/secret?token=secret`
  const made = await set('Token in its address', { channel: 'http', target_url })
  expect(made.notification.target).toBe(new URL(elsewhere.url).host)
  const { notifications } = await owner.client.call(operations.listNotifications, {
    workspace_id: owner.workspaceId,
  })
  expect(JSON.stringify(notifications)).not.toContain('secret')
  expect(notifications.find(({ name }) => name === 'Slack')).toMatchObject({
    target: new URL(elsewhere.url).host,
  })
  // Whoever changes something else, or gives the same address, leaves it and its key as they are.
  expect((await set('Token in its address', { is_active: true })).secret).toBeNull()
  expect((await set('Token in its address', { target_url })).secret).toBeNull()
  // A token goes nowhere else than where it was given for.
  const jira = { base_url: `${elsewhere.url}/other`, email: 'ada@example.com', project_key: 'PERF' }
  await expect(set('Jira', { jira })).rejects.toMatchObject({ errors: [{ field: 'jira.api_token' }] })
  const same = { ...jira, base_url: elsewhere.url, issue_type: 'Task' }
  expect((await set('Jira', { jira: same })).notification.jira).toMatchObject({ issue_type: 'Task' })
})

test.each([
  [{ events: ['test_failed'] }, 'channel'],
  [{ channel: 'slack' }, 'target_url'],
  [{ channel: 'slack', target_url: 'http://hooks.example.com/' }, 'target_url'],
  [{ channel: 'slack', target_url: 'https://hooks.example.com/', addresses: ['a@example.com'] }, 'addresses'],
  [{ channel: 'email' }, 'addresses'],
  [{ channel: 'email', addresses: ['stranger@example.com'] }, 'addresses'],
  [{ channel: 'jira' }, 'jira'],
  [
    { channel: 'jira', jira: { base_url: 'https://a.example', email: 'a@example.com', project_key: 'AB' } },
    'jira.api_token',
  ],
  [
    { channel: 'slack', target_url: 'https://a.example', filter: { project_id: 'prj_none' } },
    'filter.project_id',
  ],
  [{ channel: 'slack', target_url: 'https://a.example', new_secret: true }, 'new_secret'],
])('%j is refused, naming the field', async (given, field) => {
  await expect(set('Refused', given)).rejects.toMatchObject({ code: 'invalid_input', errors: [{ field }] })
})

test('a notification is deleted with what it told', async () => {
  const { notification } = await set('Program', {})
  await owner.client.call(operations.deleteNotification, { notification_id: notification.id })
  await expect(deliveriesOf(notification.id)).rejects.toMatchObject({ code: 'notification_not_found' })
})
