import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { beforeAll, expect, test } from 'vitest'
import { recorded } from '../../apps/api/src/pushed/test-requests.ts'
import { platform, signUp, type Person } from './person.ts'

const samples = join(import.meta.dirname, '../../packages/profiles/samples')

let owner: Person
let projectId: string
let token: string

beforeAll(async () => {
  owner = await signUp('Pushing')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Profiled all the time',
  })
  projectId = project.id
  token = await tokenOf(owner)
})

async function tokenOf(person: Person): Promise<string> {
  const { secret } = await person.client.call(operations.createApiToken, {
    workspace_id: person.workspaceId,
    name: 'Agents',
    scopes: ['upload'],
  })
  return secret
}

/** As SDKs that know a user and a password. */
const basic = (secret: string) => `Basic ${Buffer.from(`flamegate:${secret}`).toString('base64')}`

const push = (path: string, body: Buffer | string, headers: Record<string, string>) =>
  fetch(`${platform().url}/v1/projects/${projectId}${path}`, {
    method: 'POST',
    headers: { authorization: basic(token), ...headers },
    body,
  })
const pushRecorded = (name: Parameters<typeof recorded>[0], secret = token) => {
  const { path, headers, body } = recorded(name)
  return push(`/pyroscope${path}`, body, { ...headers, authorization: basic(secret) })
}

async function listed(filter: object) {
  const { profiles } = await owner.client.call(operations.listProfiles, { project_id: projectId, ...filter })
  return profiles
}

const readOnes = (filter: object) =>
  expect.poll(async () =>
    (await listed(filter)).map(({ type, format, status }) => ({ type, format, status })),
  )

test("what Go's and Node's SDKs push is listed by service, tag and time, and is read", async () => {
  const before = new Date().toISOString()
  for (const name of ['go', 'node-wall', 'node-heap'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    expect((await pushRecorded(name)).status).toBe(200)
  }
  const ready = { format: 'pprof', status: 'READY' }
  await readOnes({ service: 'checkout' }).toEqual([
    { type: 'heap', ...ready },
    { type: 'cpu', ...ready },
    { type: 'cpu', ...ready },
  ])
  const wanted = { service: 'checkout', since: before }
  expect(await listed({ ...wanted, tag: 'region=eu' })).toHaveLength(3)
  expect(await listed({ ...wanted, label: 'process.runtime.name=nodejs', type: 'cpu' })).toHaveLength(1)
  expect(await listed({ ...wanted, tag: 'region=us' })).toEqual([])
  expect(await listed({ until: before })).toEqual([])

  const [profile] = await listed({ ...wanted, type: 'heap' })
  expect(profile).toMatchObject({ name: 'checkout', started_at: expect.stringContaining('2026-11-21T21:20') })
  const days = (Date.parse(profile!.expires_at!) - Date.parse(profile!.created_at)) / 86_400_000
  expect(days).toBeCloseTo(7, 1)
})

test('what OpenTelemetry exports is a profile for each service, with labels', async () => {
  const body = readFileSync(join(samples, 'otlp/two-services.otlp'))
  const said = await push('/otlp/v1development/profiles', body, { 'content-type': 'application/x-protobuf' })
  expect([said.status, await said.text()]).toEqual([200, ''])
  const otlp = { type: 'cpu', format: 'otlp', status: 'READY' }
  await readOnes({ label: 'thread=worker-1' }).toEqual([otlp])
  await readOnes({ service: 'payments' }).toEqual([otlp])
  const [payments] = await listed({ service: 'payments' })
  expect(payments!.sample_types).toEqual([{ type: 'cpu', unit: 'nanoseconds', total: 3 }])
})

test('the service of a file of OpenTelemetry is known, however it came', async () => {
  const content = readFileSync(join(samples, 'otlp/checkout.json'), 'utf8')
  await owner.client.call(operations.createProfileUpload, {
    project_id: projectId,
    file_name: 'uploaded.json',
    content,
  })
  await expect
    .poll(() => listed({ service: 'checkout' }))
    .toContainEqual(expect.objectContaining({ name: 'uploaded.json', format: 'otlp', expires_at: null }))
})

test('counted stacks are worth what their agent says', async () => {
  const said = await push('/pyroscope/ingest?name=batch.cpu&sampleRate=100', 'main;work 3\nmain 1\n', {
    'content-type': 'text/plain',
  })
  expect(said.status).toBe(200)
  await readOnes({ service: 'batch' }).toEqual([{ type: 'cpu', format: 'collapsed', status: 'READY' }])
  const [profile] = await listed({ service: 'batch' })
  expect(profile!.sample_types).toEqual([{ type: 'cpu', unit: 'nanoseconds', total: 40_000_000 }])
})

test('agents push into projects of their workspace and no others', async () => {
  const stranger = await signUp('Stranger')
  const refused = await pushRecorded('go', await tokenOf(stranger))
  expect(refused.status).toBe(404)
  expect(await refused.json()).toEqual({ code: 'not_found', message: expect.stringContaining('project') })
  expect((await pushRecorded('go', `fg_${'x'.repeat(40)}`)).status).toBe(401)
})
