import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway } from '../test-gateway.ts'
import type { TestGateway } from '../test-gateway.ts'
import { apiThatAnswers, legacy, modern, send, structured } from './test-requests.ts'

const run = {
  id: 'run_1',
  title: 'main abc',
  text: '# Run run_1',
  metadata: { kind: 'run', project_id: 'prj_1', truncated: false },
  page: '/runs/run_1',
  url: 'http://localhost/runs/run_1',
}

const ofTemplate = (uri: string) => ({
  ref: { type: 'ref/resource', uri },
  argument: { name: 'run_id', value: '' },
})

let gateway: TestGateway
const answers = { fetch: structured(run) }
const api = apiThatAnswers(answers)

beforeAll(async () => {
  gateway = await startTestGateway('http://localhost', { apiCaller: api })
})
afterAll(() => gateway.close())

describe.each([
  ['2025-11-25', legacy],
  ['2026-07-28', modern],
])('%s', (version, request) => {
  const isModern = version === '2026-07-28'

  test('guides and schemas are resources, and can be read', async () => {
    const { result: listed } = await send(gateway, request('resources/list'))
    expect(listed?.['resources']).toContainEqual(
      expect.objectContaining({ uri: 'flamegate://skill/compare-runs', mimeType: 'text/markdown' }),
    )
    const { result } = await send(
      gateway,
      request('resources/read', { uri: 'flamegate://skill/compare-runs' }),
    )
    expect(result?.['contents']).toEqual([
      {
        uri: 'flamegate://skill/compare-runs',
        mimeType: 'text/markdown',
        text: expect.stringContaining('compare_runs'),
      },
    ])
  })

  test('a run is a resource, read in the name of the caller', async () => {
    const { result: listed } = await send(gateway, request('resources/templates/list'))
    expect(listed?.['resourceTemplates']).toContainEqual(
      expect.objectContaining({ uriTemplate: 'flamegate://run/{run_id}' }),
    )
    const { result } = await send(gateway, request('resources/read', { uri: 'flamegate://run/run_1' }))
    expect(result?.['contents']).toEqual([
      { uri: 'flamegate://run/run_1', mimeType: 'text/markdown', text: '# Run run_1' },
    ])
    expect(api.inputs.at(-1)).toEqual({ id: 'run_1' })
  })

  test.each([
    ['a guide that was never written', 'flamegate://skill/nothing'],
    ['a run by the address of a profile', 'flamegate://profile/run_1'],
    ['an address that is no id', 'flamegate://run/../run_1'],
    ['another scheme', 'file:///etc/passwd'],
  ])('%s is not found, by the code of its revision', async (_what, uri) => {
    const { status, error } = await send(gateway, request('resources/read', { uri }))
    expect(status).toBe(200)
    expect(error).toMatchObject({ code: isModern ? -32_602 : -32_002, data: { uri } })
  })

  test('a prompt is filled in', async () => {
    const { result } = await send(
      gateway,
      request('prompts/get', { name: 'explain_regression', arguments: { base: 'run_1', head: 'run_2' } }),
    )
    expect(result?.['messages']).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('run_2') } },
    ])
  })

  test.each([
    ['a prompt that is not there', { name: 'nothing' }, 'There is no prompt nothing.'],
    [
      'a prompt without an argument that it needs',
      { name: 'explain_regression', arguments: { base: 'run_1' } },
      'The prompt explain_regression needs the argument head.',
    ],
  ])('%s is refused in words', async (_what, params, message) => {
    const { error } = await send(gateway, request('prompts/get', params))
    expect(error).toMatchObject({ code: -32_602, message })
  })

  test('an argument with few values is completed', async () => {
    const { result } = await send(
      gateway,
      request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'prepare_upload' },
        argument: { name: 'harness', value: 'go' },
      }),
    )
    expect(result?.['completion']).toEqual({
      values: ['google_benchmark', 'go_bench'],
      total: 2,
      hasMore: false,
    })
  })

  test('a variable of a template has no completions, and an unknown one is refused', async () => {
    const { result } = await send(
      gateway,
      request('completion/complete', ofTemplate('flamegate://run/{run_id}')),
    )
    expect(result?.['completion']).toMatchObject({ values: [] })
    const { error } = await send(
      gateway,
      request('completion/complete', ofTemplate('flamegate://nothing/{id}')),
    )
    expect(error?.code).toBe(-32_602)
  })

  test.each(['resources/list', 'resources/templates/list', 'prompts/list'])(
    '%s refuses a cursor that it did not give',
    async (method) => {
      expect((await send(gateway, request(method, { cursor: 'MTA' }))).error?.code).toBe(-32_602)
    },
  )
})

test.each([
  ['server/discover', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'flamegate://skill/agents' }],
  ['prompts/list', {}],
])('%s of 2026-07-28 says how long it may be kept, and by whom', async (method, params) => {
  const { result } = await send(gateway, modern(method, params))
  expect(result).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'private', resultType: 'complete' })
})

test('a client that may not read yet is told what to ask for', async () => {
  const refused = { status: 403, body: '{"content":[{"type":"text","text":"no"}],"isError":true}' }
  const other = await startTestGateway('http://localhost', { apiCaller: apiThatAnswers({ fetch: refused }) })
  const token = await other.makeToken({ scopes: ['upload'] })
  const { status, headers } = await send(
    other,
    modern('resources/read', { uri: 'flamegate://run/run_1' }),
    token,
  )
  expect(status).toBe(403)
  expect(headers['www-authenticate']).toMatch(/error="insufficient_scope".* scope="upload read"/)
  await other.close()
})
