import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway } from '../test-gateway.ts'
import type { TestGateway } from '../test-gateway.ts'
import type { ApiCaller } from '../api-caller.ts'
import { apiThatAnswers, legacy, modern, send, structured, type Json } from './test-requests.ts'

const run = {
  id: 'run_1',
  title: 'main abc',
  text: '# Run run_1',
  metadata: { kind: 'run', project_id: 'prj_1', truncated: false },
  page: '/runs/run_1',
  url: 'http://localhost/runs/run_1',
}

const ofTemplate = (uri: string, value = '') => ({
  ref: { type: 'ref/resource', uri },
  argument: { name: /\{(\w+)\}/.exec(uri)?.[1] ?? '', value },
})

const ofPrompt = (name: string, argument: string, value: string, chosen = {}) => ({
  ref: { type: 'ref/prompt', name },
  argument: { name: argument, value },
  context: { arguments: chosen },
})

/** An API with two projects; what is in one of them has its number. Else everything is as in the examples of the operations. */
const fetched: unknown[] = []
const api: ApiCaller = {
  call: async (operation, input) => {
    const place = Object(input)
    const number = String(place['project_id'] ?? place['repository']).slice('prj_'.length)
    const row = (list: string, ...rows: Json[]) => {
      const example: Json = Object(operation.examples[0]?.output)
      const [first] = [example[list]].flat()
      return structured({
        ...example,
        url: 'http://localhost/',
        [list]: rows.map((each) => ({ ...Object(first), ...each })),
      })
    }
    switch (operation.id) {
      case 'fetch':
        fetched.push(input)
        return structured(run)
      case 'list_repositories':
        return row(
          'repositories',
          { repository: 'acme/shop', project_id: 'prj_1', name: 'Shop' },
          { repository: null, project_id: 'prj_2', name: 'Side project' },
        )
      case 'list_runs':
        return row('runs', { id: `run_${number}`, commit_message: 'A faster parser' })
      case 'list_benchmarks':
        return row('benchmarks', {
          id: `ben_${number}`,
          uri: 'bench.js::parse',
          name: 'parse',
          instrument: 'walltime',
          metric: 'wall_time',
          better_when: 'lower',
          last_value: 1,
          unit: 'ns',
          last_run_id: `run_${number}`,
          last_run_at: '2026-11-20T10:00:00.000Z',
          run_count: 1,
          state: 'active',
          is_critical: false,
          threshold_percent: null,
          noise_percent: null,
          open_alert_count: 0,
          trend: [1],
        })
      case 'list_profiles':
        return row('profiles', { id: `prf_${number}` })
      case 'list_virtual_users':
        return row('virtual_users', { id: `vu_${number}` })
      default:
        return row('live_apps', { id: `app_${number}`, name: 'web' })
    }
  },
  close: () => Promise.resolve(),
}

let gateway: TestGateway

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
      expect.objectContaining({ uri: 'flamegate://skill/explain-regression', mimeType: 'text/markdown' }),
    )
    const { result } = await send(
      gateway,
      request('resources/read', { uri: 'flamegate://skill/explain-regression' }),
    )
    expect(result?.['contents']).toEqual([
      {
        uri: 'flamegate://skill/explain-regression',
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
    expect(fetched.at(-1)).toEqual({ id: 'run_1' })
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
      request('prompts/get', { name: 'investigate-regression', arguments: { repository: 'acme/shop' } }),
    )
    expect(result?.['messages']).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('acme/shop') } },
    ])
  })

  test.each([
    ['a prompt that is not there', { name: 'nothing' }, 'There is no prompt nothing.'],
    [
      'a prompt without an argument that it needs',
      { name: 'profile-mcp-server', arguments: { project_id: 'prj_1' } },
      'The prompt profile-mcp-server needs the argument server.',
    ],
  ])('%s is refused in words', async (_what, params, message) => {
    const { error } = await send(gateway, request('prompts/get', params))
    expect(error).toMatchObject({ code: -32_602, message })
  })

  test.each<[string, Record<string, unknown>, string[]]>([
    ['one with few values', ofPrompt('optimize', 'profiler', '--p'), ['--python', '--pprof', '--perf']],
    ['one that may be anything', ofPrompt('optimize', 'measure', 'npm'), []],
    ['a repository, by a part', ofPrompt('investigate-regression', 'repository', 'shop'), ['acme/shop']],
    ['a project, by its name', ofPrompt('find-hot-spots', 'project_id', 'Side'), ['prj_2']],
    ['a project, by its id', ofPrompt('find-hot-spots', 'project_id', 'prj_'), ['prj_1', 'prj_2']],
    ['a live app, by its name', ofPrompt('triage-live-app', 'live_app_id', 'web'), ['app_1', 'app_2']],
    [
      'a virtual user of the project that was chosen',
      ofPrompt('fix-replay', 'virtual_user_id', '', { project_id: 'prj_2' }),
      ['vu_2'],
    ],
    ['a run, by words of its commit', ofTemplate('flamegate://run/{run_id}', 'parser'), ['run_1', 'run_2']],
    ['a profile, by its name', ofTemplate('flamegate://profile/{profile_id}', 'nothing'), []],
    ['a benchmark', ofTemplate('flamegate://benchmark/{benchmark_id}', 'ben_1'), ['ben_1']],
  ])('%s is completed', async (_what, params, values) => {
    const { result } = await send(gateway, request('completion/complete', params))
    expect(result?.['completion']).toEqual({ values, total: values.length, hasMore: false })
  })

  test('completion of what is not there is refused', async () => {
    for (const params of [ofTemplate('flamegate://nothing/{id}'), ofPrompt('nothing', 'a', '')]) {
      // oxlint-disable-next-line no-await-in-loop -- two of them
      const { error } = await send(gateway, request('completion/complete', params))
      expect(error?.code).toBe(-32_602)
    }
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
