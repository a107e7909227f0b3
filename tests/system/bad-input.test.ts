import { findOperation, operations, type Operation, type ProblemDetails } from '@flamegate/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { callRest, rpc } from './calls.ts'
import { apiToken, platform } from './person.ts'
import { createWorld, type World } from './world.ts'

/** A user's mistake is told clearly, names its place, and leaves nothing behind. */

let world: World
let token: string

beforeAll(async () => {
  world = await createWorld()
  token = await apiToken(world.owner, ['write'])
})

function named(id: string): Operation {
  const operation = findOperation(id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  return operation
}

/** Uploads bytes as a profile and waits for what becomes of it. */
async function uploadProfile(
  bytes: Uint8Array,
): Promise<{ status: string; problem: { code: string; detail: string } | null }> {
  const { client } = world.owner
  const announced = await client.call(operations.createProfileUpload, {
    project_id: world.projectId,
    file_name: 'profile.bin',
    size_bytes: bytes.length,
  })
  const { url, method, headers } = announced.upload ?? { url: '', method: 'PUT' as const, headers: {} }
  const response = await fetch(url, { method, headers, body: new Uint8Array(bytes) })
  expect(response.status).toBe(201)
  const deadline = Date.now() + 30_000
  for (;;) {
    const { task } = await client.call(operations.getTaskResult, { task_id: announced.task_id })
    if (task.status === 'SUCCESS' || task.status === 'FAILED' || Date.now() > deadline) {
      const { profile } = await client.call(operations.getProfile, { profile_id: announced.profile_id })
      expect(profile.status).toBe(task.status === 'SUCCESS' ? 'READY' : 'FAILED')
      return task
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('a profile that cannot be read ends its task with the reason', () => {
  test.each([
    ['random bytes', Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251))],
    ['a truncated gzip', gzipSync(Buffer.from('main;a 1\n'.repeat(1000))).subarray(0, 20)],
    ['JSON of something else', Buffer.from('{"hello": "world"}')],
    ['invalid UTF-8', Buffer.from([0x6d, 0x3b, 0xff, 0xfe, 0x20, 0x31, 0x0a])],
    ['stacks with a line that is none', Buffer.from('main;a 1\nthis is no stack\n')],
  ])('%s', async (_name, bytes) => {
    const task = await uploadProfile(bytes)
    if (task.status === 'SUCCESS') throw new Error('It was read.')
    expect(task.problem?.code).toBe('unreadable_profile')
    expect(task.problem?.detail.length).toBeGreaterThan(10)
  })

  test('a decompression bomb', async () => {
    const task = await uploadProfile(gzipSync(Buffer.alloc(700 * 1024 * 1024)))
    expect(task.problem?.code).toBe('unreadable_profile')
    expect((await fetch(`${platform().url}/healthz`)).status).toBe(200)
  })
})

describe('benchmark results that cannot be read leave no run behind', () => {
  test.each([
    ['nothing of the kind', 'hello'],
    ['truncated JSON', '{"benchmarks": [{"name": "a", '],
    ['another JSON', '{"a": 1}'],
  ])('%s', async (_name, results) => {
    const before = await world.owner.client.call(operations.listRuns, {
      repository: world.projectId,
      limit: 100,
    })
    const outcome = await callRest(
      named('submit_benchmark_results'),
      { repository: world.projectId, branch: 'bad', commit_hash: 'abcdef1', results },
      { token },
    )
    expect([outcome.status, outcome.code]).toEqual([422, 'unreadable_results'])
    const after = await world.owner.client.call(operations.listRuns, {
      repository: world.projectId,
      limit: 100,
    })
    expect(after.runs.length).toBe(before.runs.length)
  })
})

async function problemOf(response: Response): Promise<ProblemDetails> {
  const problem: ProblemDetails = JSON.parse(await response.text())
  return problem
}

function post(
  path: string,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${platform().url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  })
}

function projects(): string {
  return `/v1/workspaces/${world.owner.workspaceId}/projects`
}

test('results are added to a run of the same commit, and to no other', async () => {
  const add = (commitHash: string) =>
    callRest(
      named('submit_benchmark_results'),
      {
        repository: world.projectId,
        run_id: world.baseRunId,
        branch: 'main',
        commit_hash: commitHash,
        results: 'BenchmarkOther-2 100 10 ns/op\n',
      },
      { token },
    )
  expect((await add('0123456')).code).toBe('conflict')
  const { answer } = await add('abcdef1234')
  expect(answer).toMatchObject({ run: { id: world.baseRunId, result_count: 2 } })
})

describe('over REST', () => {
  test.each([
    ['broken JSON', '{"name": ', 'malformed_request', 400],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'malformed_request', 400],
    ['an array', '[]', 'malformed_request', 400],
    ['an unknown field', '{"name": "x", "colour": "red"}', 'invalid_input', 400],
    ['a wrong type', '{"name": 5}', 'invalid_input', 400],
    ['a missing field', '{}', 'invalid_input', 400],
    ['U+0000', '{"name": "a\\u0000b"}', 'invalid_input', 400],
  ])('%s', async (_name, body, code, status) => {
    const response = await post(projects(), body)
    const problem = await problemOf(response)
    expect([response.status, problem.code]).toEqual([status, code])
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    expect(JSON.stringify(problem)).not.toMatch(/\n\s+at |node_modules/)
    if (code === 'invalid_input') expect(problem.errors?.[0]?.field).toMatch(/^(?:name|colour)$/)
  })

  test('another content type', async () => {
    const response = await post(projects(), 'name=x', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(response.status).toBe(415)
  })

  test('a body that is too large', async () => {
    const response = await post(projects(), JSON.stringify({ name: 'x'.repeat(5_000_000) }))
    expect([response.status, (await problemOf(response)).code]).toEqual([413, 'too_large'])
  })

  test('a cursor of another listing, and one that is none', async () => {
    const { client } = world.owner
    await client.call(operations.createProject, {
      workspace_id: world.owner.workspaceId,
      name: `Second ${Date.now()}`,
    })
    const first = await client.call(operations.listProjects, {
      workspace_id: world.owner.workspaceId,
      limit: 1,
    })
    expect(first.next_cursor).not.toBeNull()
    for (const cursor of [first.next_cursor, 'nonsense']) {
      const outcome = await callRest(named('list_runs'), { repository: world.projectId, cursor }, { token })
      expect([outcome.status, outcome.code]).toEqual([400, 'cursor_invalid'])
    }
  })

  test('an unknown address and a wrong method', async () => {
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${platform().url}/v1/nowhere`, { headers })).status).toBe(404)
    expect((await fetch(`${platform().url}/v1/me`, { method: 'DELETE', headers })).status).toBe(404)
  })

  test('numbers, flags and lists in a query are read as what they are', async () => {
    const outcome = await callRest(
      named('list_runs'),
      { repository: world.projectId, limit: 'many' },
      { token },
    )
    expect(outcome.code).toBe('invalid_input')
    const fine = await callRest(named('list_runs'), { repository: world.projectId, limit: 1 }, { token })
    expect(fine.answer?.['runs']).toHaveLength(1)
  })
})

describe('over MCP', () => {
  test('an unknown tool is a protocol error; wrong arguments are a tool error that names the field', async () => {
    const unknown = await rpc('tools/call', { name: 'no_such_tool', arguments: {} }, { token })
    expect(unknown.body).toMatchObject({ error: { code: -32602 } })
    const wrong = await rpc('tools/call', { name: 'compare_runs', arguments: { limit: 'x' } }, { token })
    expect(wrong.body).toMatchObject({ result: { isError: true } })
    expect(JSON.stringify(wrong.body)).toContain('limit')
  })

  test('bytes that are no JSON are a parse error, and the process lives on', async () => {
    const response = await fetch(platform().mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: Buffer.from([0xff, 0x00, 0x7b]),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32700 } })
    expect((await fetch(`${platform().url}/healthz`)).status).toBe(200)
  })
})

describe('documents and repeats', () => {
  test('If-Match guards a change that somebody else made first', async () => {
    const url = `${platform().url}/v1/projects/${world.projectId}`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const etag = (await fetch(url, { headers })).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\d+"$/)
    const change = (description: string, ifMatch: string) =>
      fetch(url, {
        method: 'PATCH',
        headers: { ...headers, 'if-match': ifMatch },
        body: JSON.stringify({ description }),
      })
    const first = await change('one', etag)
    expect(first.status).toBe(200)
    expect(first.headers.get('etag')).not.toBe(etag)
    expect((await change('two', etag)).status).toBe(412)
  })

  test('the same idempotency key creates once', async () => {
    const body = JSON.stringify({ name: `Once ${Date.now()}` })
    const key = { 'idempotency-key': `key-${world.projectId}` }
    const first = await post(projects(), body, key)
    expect(first.status).toBe(201)
    expect(await (await post(projects(), body, key)).json()).toEqual(await first.json())
    expect((await post(projects(), JSON.stringify({ name: 'Other' }), key)).status).toBe(409)
  })

  test('a taken name names its field', async () => {
    const outcome = await callRest(
      named('create_project'),
      { workspace_id: world.owner.workspaceId, name: 'World' },
      { token },
    )
    expect([outcome.status, outcome.code]).toEqual([409, 'conflict'])
  })
})
