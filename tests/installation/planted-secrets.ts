import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { operations } from '@flamegate/contract'
import { z } from 'zod'
import { waitForTask } from '../system/world.ts'
import { signUpAs } from '../system/person.ts'

/** Secrets by what they are: everything that a person may give, or is given. */
export type PlantedSecrets = Map<string, string>

/**
 * Puts a secret of its own into every place that takes or makes one, in the right way, and in ways that go wrong.
 * @param url Of a platform that may be filled.
 */
export async function plantSecrets(url: string): Promise<{ secrets: PlantedSecrets; audit: string }> {
  const secrets: PlantedSecrets = new Map()
  const plant = (what: string, value = fresh()): string => {
    secrets.set(what, value)
    return value
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, ...headers },
      body: JSON.stringify(body),
    })

  const email = `canary-${randomUUID()}@example.com`
  const person = await signUpAs(url, 'Canary', email, undefined, plant('password'))
  plant('session', person.cookie.split('=')[1])
  const { workspaceId: workspace_id, client, cookie } = person
  await post('/auth/log-in', { email, password: plant('wrong password') })
  await post('/auth/log-in', { email: plant('password in place of an address'), password: 'x' })
  const enrolled = await post('/auth/account/one-time-codes', {}, { cookie })
  plant('one-time codes', z.object({ secret: z.string() }).parse(await enrolled.json()).secret)

  const registered = await post('/oauth/reg', {
    client_name: 'Canary',
    redirect_uris: ['https://canary.example/callback'],
    token_endpoint_auth_method: 'client_secret_post',
  })
  const oauthClient = z
    .object({ client_id: z.string(), client_secret: z.string(), registration_access_token: z.string() })
    .parse(await registered.json())
  plant('client secret', oauthClient.client_secret)
  plant('registration token', oauthClient.registration_access_token)
  const grants: Record<string, string>[] = [
    { grant_type: 'authorization_code', code: plant('code that is none'), code_verifier: plant('verifier') },
    { grant_type: 'refresh_token', refresh_token: plant('refresh token that is none') },
  ]
  for (const grant of grants)
    await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...grant,
        client_id: oauthClient.client_id,
        client_secret: oauthClient.client_secret,
        redirect_uri: 'https://canary.example/callback',
      }),
    })

  const { project } = await client.call(operations.createProject, { workspace_id, name: 'Canary' })
  const project_id = project.id
  const scopes = ['read' as const, 'write' as const]
  const { secret: token } = await client.call(operations.createApiToken, { workspace_id, name: 'c', scopes })
  plant('API token', token)
  plant(
    'answer that is kept',
    (
      await client.call(
        operations.createApiToken,
        { workspace_id, name: 'd', scopes },
        { idempotencyKey: 'once' },
      )
    ).secret,
  )
  plant('agent token', (await client.call(operations.getAgentInstallCommand, { workspace_id })).token)
  const invited = await client.call(operations.setWorkspaceMember, {
    workspace_id,
    email: `invited-${email}`,
    role: 'viewer',
  })
  plant('invitation', new URL(invited.invitation_url ?? '').searchParams.get('token') ?? undefined)
  const mcp = { accept: 'application/json, text/event-stream' }
  await fetch(`${url}/v1/projects?token=${plant('token in an address')}`)
  await fetch(`${url}/v1/projects`, { headers: { authorization: `Bearer ${plant('token that is none')}` } })
  await post('/mcp', {}, { ...mcp, authorization: `Bearer ${plant('token that is none, over MCP')}` })
  await post(
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'get_run',
        arguments: { run_id: plant('argument'), [plant('name of an argument')]: 1 },
      },
    },
    { ...mcp, authorization: `Bearer ${token}` },
  )

  const webhook = await client.call(operations.setWebhook, {
    project_id,
    target_url: `https://hooks.invalid/hooks/${plant('address of a webhook')}`,
  })
  plant('secret of a webhook', webhook.secret ?? undefined)
  await client.call(operations.testWebhook, { webhook_id: webhook.webhook.id })
  for (const [channel, fields] of [
    ['slack', { target_url: `https://hooks.invalid/services/${plant('address of a chat')}` }],
    ['http', { target_url: `https://hooks.invalid/told/${plant('address of a program')}` }],
    [
      'jira',
      {
        jira: {
          base_url: 'https://canary.atlassian.net',
          email,
          project_key: 'CAN',
          issue_type: 'Task',
          api_token: plant('token of Jira'),
        },
      },
    ],
  ] as const) {
    const { notification, secret } = await client.call(operations.setNotification, {
      workspace_id,
      name: channel,
      channel,
      ...fields,
    })
    if (secret !== null) plant(`secret of ${channel}`, secret)
    if (channel === 'slack')
      await client.call(operations.testNotification, { notification_id: notification.id })
  }
  await client.call(operations.setGithubReport, { project_id, token: plant('token of GitHub') })
  const variable = { project_id, name: 'password', type: 'secret' as const }
  await client.call(operations.createVariable, { ...variable, value: plant('secret variable') })
  for (const wrong of [
    { ...variable, value: plant('value of a second one of that name') },
    { ...variable, name: 'long', value: plant('value that is too long').padEnd(10_001, 'x') },
    { ...variable, name: 'odd', secret: plant('unknown field') },
  ])
    await post(`/v1/projects/${project_id}/variables`, wrong, { cookie })
  await client.call(operations.setMonitor, {
    project_id,
    name: 'database',
    document: { type: 'postgres', host: '10.0.0.5', user: 'watch' },
    secret: plant('password of a monitor'),
  })
  const recorded = await client.call(operations.importVirtualUser, {
    project_id,
    format: 'har',
    file_name: 'login.har',
    content: recordingOf(plant('password in a recording')),
  })
  await waitForTask(person, recorded.task_id)
  const audit = await client.call(operations.searchAuditLog, { workspace_id, limit: 100 })
  return { secrets, audit: JSON.stringify(audit) }
}

function fresh(): string {
  return `canary${randomBytes(12).toString('hex')}`
}

function recordingOf(password: string): string {
  const entry = {
    startedDateTime: '2026-11-20T10:00:00.000Z',
    time: 20,
    request: {
      method: 'POST',
      url: 'https://shop.example/login',
      httpVersion: 'HTTP/1.1',
      headers: [
        { name: 'Authorization', value: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` },
        { name: 'Content-Type', value: 'application/json' },
      ],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: -1,
      postData: { mimeType: 'application/json', text: JSON.stringify({ user: 'ann', password }) },
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [],
      cookies: [],
      content: { size: 2, mimeType: 'text/html', text: `<p>${password}</p>` },
      redirectURL: '',
      headersSize: -1,
      bodySize: 2,
    },
    cache: {},
    timings: { send: 1, wait: 18, receive: 1 },
  }
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'test', version: '1' }, entries: [entry] },
  })
}

/** Which secrets can be read in a text, also as they stand in base64 or hex. */
export function secretsIn(secrets: PlantedSecrets, text: string): string[] {
  return [...secrets].flatMap(([what, value]) =>
    formsOf(value).some((form) => text.includes(form)) ? [what] : [],
  )
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  // Wherever it begins among three bytes; without the ends, which its neighbours change.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4)
      .replace(/=+$/, ''),
  )
  return [value, encodeURIComponent(value), bytes.toString('hex'), ...base64]
}

/** Everything in a folder as text, by its path; what is packed, unpacked. */
export async function readFolder(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      files.map(async (path) => {
        const bytes = await readFile(path)
        const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
        return [
          path.slice(folder.length + 1),
          (isPacked ? gunzipSync(bytes) : bytes).toString('latin1'),
        ] as const
      }),
    ),
  )
}
