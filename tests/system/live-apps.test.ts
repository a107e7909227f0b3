import { gzipSync } from 'node:zlib'
import { createClient } from '@flamegate/client'
import { catalogue, operations } from '@flamegate/contract'
import { liveLimits, type LivePush } from '@flamegate/live'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callRest, callTool, patiently } from './calls.ts'
import { openPlatformDatabase } from './database-access.ts'
import { inputs } from './inputs.ts'
import { apiToken, invite, platform } from './person.ts'
import { createWorld, type World } from './world.ts'

let world: World
let database: Awaited<ReturnType<typeof openPlatformDatabase>>

beforeAll(async () => {
  world = await createWorld()
  database = await openPlatformDatabase()
})
afterAll(() => database?.close())

let count = 0
function register(name = `app ${++count}`) {
  return world.owner.client.call(operations.registerLiveApp, { project_id: world.projectId, name })
}

const plainPush = (rest: Partial<LivePush> = {}): LivePush => ({
  session: 'session-1',
  sequence: 0,
  at: Date.now(),
  program: { name: 'shop', source: 'profiler' },
  sections: { functions_timing: { status: 'on', items: [{ id: '1', name: 'pay' }] } },
  logs: [{ section: 'functions_timing', item: '1', at: [Date.now() - 1], value: [1000] }],
  ...rest,
})

/** As programs do it. */
async function push(
  app: string,
  token: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(`${platform().url}/v1/live-apps/${app}/pushes`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
  })
  const answer: Record<string, unknown> = JSON.parse(await response.text())
  return { status: response.status, headers: response.headers, body: answer }
}

async function stored(id: string): Promise<number> {
  const { live_apps: apps } = await world.owner.client.call(operations.listLiveApps, {
    project_id: world.projectId,
  })
  return apps.find((app) => app.id === id)?.size_bytes ?? 0
}

describe('a token of a live app', () => {
  test('pushes to that app, plain or gzip, and what comes twice counts once', async () => {
    const { live_app: app, token, is_new: isNew } = await register()
    expect([isNew, app.state]).toEqual([true, 'waiting'])
    expect(await push(app.id, token, plainPush())).toMatchObject({ status: 200, body: { status: 'stored' } })
    const size = await stored(app.id)
    expect(size).toBeGreaterThan(0)
    const packed = gzipSync(JSON.stringify(plainPush({ sequence: 1 })))
    const gzip = { 'content-encoding': 'gzip' }
    expect((await push(app.id, token, packed, gzip)).body).toMatchObject({ status: 'stored' })
    const both = await stored(app.id)
    expect(both).toBeGreaterThan(size)
    expect((await push(app.id, token, packed, gzip)).body).toMatchObject({ status: 'duplicate' })
    expect(await stored(app.id)).toBe(both)
    const { live_apps: apps } = await world.owner.client.call(operations.listLiveApps, {
      project_id: world.projectId,
    })
    expect(apps.find(({ id }) => id === app.id)).toMatchObject({
      state: 'live',
      process: { session: 'session-1', program: 'shop', sections_on: ['functions_timing'] },
    })
  })

  test('does nothing else, whatever is called', async () => {
    const { live_app: app, token } = await register()
    const own: World = { ...world, liveAppId: app.id }
    const pushes = new Set(['push_live', 'push_otlp'])
    for (const operation of catalogue) {
      if (pushes.has(operation.id)) continue
      const input = inputs[operation.id]?.(own) ?? {}
      const calls = [patiently(callRest)(operation, input, { token })]
      if (operation.mcp) calls.push(patiently(callTool)(operation, input, { token }))
      // oxlint-disable-next-line no-await-in-loop -- few at a time
      for (const outcome of await Promise.all(calls)) {
        expect([operation.id, outcome.code, outcome.answer]).toEqual([
          operation.id,
          'insufficient_scope',
          undefined,
        ])
      }
    }
    const elsewhere = [
      `/v1/projects/${world.projectId}/pyroscope/ingest?name=a`,
      `/v1/projects/${world.projectId}/otlp/v1development/profiles`,
      '/upload',
    ]
    const refused = await Promise.all(
      elsewhere.map((path) =>
        fetch(platform().url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{}',
        }),
      ),
    )
    for (const { status } of refused) expect([400, 401, 403]).toContain(status)
  })

  test('sees no other app, in its project or elsewhere: they are as if they never were', async () => {
    const { token } = await register()
    const { live_app: sibling } = await register()
    const foreign = await world.outsider.client.call(operations.createProject, {
      workspace_id: world.outsider.workspaceId,
      name: 'Elsewhere',
    })
    const { live_app: stranger } = await world.outsider.client.call(operations.registerLiveApp, {
      project_id: foreign.project.id,
      name: 'stranger',
    })
    const never = 'app_00000000000000000000000000'
    const [expected, ...others] = await Promise.all(
      [never, sibling.id, stranger.id, world.liveAppId].map(async (id) => {
        const { status, body } = await push(id, token, plainPush())
        const { code, detail, hint } = body
        return { status, code, detail, hint }
      }),
    )
    expect(expected).toMatchObject({ status: 404, code: 'live_app_not_found' })
    expect(others).toEqual([expected, expected, expected])
    expect(await stored(sibling.id)).toBe(0)
  })

  test('is no OAuth client, and ends when it is revoked, or its app is deleted, or its maker leaves', async () => {
    const { token, api_token_id: tokenId, live_app: app } = await register()
    const asClient = await fetch(`${platform().url}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${tokenId}:${token}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: `${platform().url}/v1` }),
    })
    expect(asClient.status).toBe(401)
    const again = await register(app.name)
    expect([again.is_new, again.live_app.id]).toEqual([false, app.id])
    await world.owner.client.call(operations.revokeApiToken, { api_token_id: tokenId })
    expect((await push(app.id, token, plainPush())).status).toBe(401)
    expect((await push(app.id, again.token, plainPush())).status).toBe(200)
    await world.owner.client.call(operations.deleteLiveApp, { live_app_id: app.id })
    expect((await push(app.id, again.token, plainPush())).status).toBe(401)

    const member = await invite(world.owner, 'member', 'Pusher')
    const theirs = await member.client.call(operations.registerLiveApp, {
      project_id: world.projectId,
      name: 'of a member',
    })
    expect((await push(theirs.live_app.id, theirs.token, plainPush())).status).toBe(200)
    await world.owner.client.call(operations.setWorkspaceMember, {
      workspace_id: world.owner.workspaceId,
      email: member.email,
      role: 'none',
    })
    expect((await push(theirs.live_app.id, theirs.token, plainPush())).status).toBe(401)
  })

  test('stands among the API tokens, where it is revoked', async () => {
    const { api_token_id: tokenId } = await register()
    const { api_tokens: tokens } = await world.owner.client.call(operations.listApiTokens, {
      workspace_id: world.owner.workspaceId,
    })
    expect(tokens.find(({ id }) => id === tokenId)).toMatchObject({ scopes: ['push'] })
  })
})

test('an app that ended is opened by a push, and a token that may write pushes to any', async () => {
  const { live_app: app, token } = await register()
  const ended = await world.owner.client.call(operations.endLiveApp, { live_app_id: app.id })
  expect(ended.live_app.state).toBe('ended')
  await push(app.id, token, plainPush())
  const writing = await apiToken(world.owner, ['write'])
  expect((await push(app.id, writing, plainPush({ sequence: 1 }))).status).toBe(200)
  const { live_apps: apps } = await createClient({ baseUrl: platform().url, token: writing }).call(
    operations.listLiveApps,
    { project_id: world.projectId },
  )
  expect(apps.find(({ id }) => id === app.id)?.state).toBe('live')
  expect((await push(app.id, undefined, plainPush())).status).toBe(401)
})

describe('a push that is wrong is told where', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a session that is too short', { session: 'a' }, 'session'],
    ['a sequence below zero', { sequence: -1 }, 'sequence'],
    ['a section that nobody knows', { sections: { nonsense: { status: 'on' } } }, 'sections.nonsense'],
    [
      'an item without a name',
      { sections: { gauges: { status: 'on', items: [{ id: '1' }] } } },
      'sections.gauges.items.0.name',
    ],
    [
      'columns of two lengths',
      { logs: [{ section: 'gauges', item: '1', at: [1, 2], value: [1] }] },
      'logs.0.value',
    ],
    ['an entry that is no time', { logs: [{ section: 'gauges', item: '1', at: [-1] }] }, 'logs.0.at'],
    [
      'an entry of next year',
      { logs: [{ section: 'gauges', item: '1', at: [Date.now() * 2] }] },
      'logs.0.at',
    ],
    ['a clock that is ahead', { at: Date.now() + 3_600_000 }, 'at'],
    ['a program without a source', { program: { name: 'a' } }, 'program.source'],
    ['a field too many', { surprise: true }, 'surprise'],
    ['a zero character', { program: { name: 'a\0b', source: 'profiler' } }, 'program.name'],
  ])('%s', async (_what, wrong, field) => {
    const { live_app: app, token } = await register('wrong')
    const { status, body } = await push(app.id, token, { ...plainPush(), ...wrong })
    expect([status, body['code']]).toEqual([400, 'invalid_input'])
    expect(body['errors']).toEqual(expect.arrayContaining([expect.objectContaining({ field })]))
  })

  test('no JSON, no gzip, another packing, too large, too much when unpacked', async () => {
    const { live_app: app, token } = await register('wrong')
    const gzip = { 'content-encoding': 'gzip' }
    expect(operations.pushLive.bodyBytesMax).toBe(liveLimits.bytesMax)
    const bomb = gzipSync(Buffer.alloc(liveLimits.bytesMax + 1, ' '))
    const entries = Array.from({ length: liveLimits.entriesMax }, () => 1)
    const twice = [1, 2].map((item) => ({ section: 'gauges' as const, item: `${item}`, at: entries }))
    const outcomes = [
      await push(app.id, token, Buffer.from('{')),
      await push(app.id, token, Buffer.from('{}'), gzip),
      await push(app.id, token, gzipSync('{}').subarray(0, 12), gzip),
      await push(app.id, token, Buffer.from('{}'), { 'content-encoding': 'br' }),
      await push(app.id, token, bomb, gzip),
      await push(app.id, token, gzipSync(JSON.stringify(plainPush({ logs: twice }))), gzip),
      await push(app.id, token, plainPush()),
    ]
    expect(outcomes.map(({ status, body }) => [status, body['code']])).toEqual([
      [400, 'malformed_request'],
      [400, 'malformed_request'],
      [400, 'malformed_request'],
      [415, 'unsupported_media_type'],
      [413, 'too_large'],
      [413, 'too_large'],
      [200, undefined],
    ])
  })
})
