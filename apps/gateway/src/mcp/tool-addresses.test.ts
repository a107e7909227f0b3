import { gunzipSync } from 'node:zlib'
import { hashSecret } from '@flamegate/auth'
import { catalogue, toolsetNames } from '@flamegate/contract'
import type { Role, Scope } from '@flamegate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plainAnswer, startTestGateway } from '../test-gateway.ts'
import type { TestGateway, TokenChanges } from '../test-gateway.ts'

type Json = Record<string, unknown>
interface Listed {
  name: string
  description: string
  inputSchema: { properties?: Record<string, Json>; required?: string[] }
  outputSchema?: Json
  annotations: Record<string, boolean>
}

let gateway: TestGateway
let token: string

beforeAll(async () => {
  gateway = await startTestGateway('http://localhost')
  addPerson('usr_ada', 'owner', 'acme', 'ws_acme')
  addPerson('usr_ada', 'viewer', 'other', 'ws_other')
  addPerson('usr_vic', 'viewer', 'acme', 'ws_acme')
  addPerson('usr_mem', 'member', 'acme', 'ws_acme')
  token = await gateway.makeToken()
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.calls.length = 0
  gateway.answerWith(plainAnswer)
})

function addPerson(userId: string, role: Role, slug: string, workspaceId: string) {
  gateway.identity.addMembership(userId, { workspaceId, slug, name: slug.toUpperCase(), role })
}

async function post(url: string, message: unknown, headers: Record<string, string> = {}) {
  const response = await gateway.app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    payload: JSON.stringify(message),
  })
  return response
}

const listRequest = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

async function list(url: string, headers: Record<string, string> = {}): Promise<Listed[]> {
  const response = await post(url, listRequest, headers)
  expect(response.statusCode).toBe(200)
  return response.json<{ result: { tools: Listed[] } }>().result.tools
}

const namesAt = async (url: string, headers?: Record<string, string>) =>
  (await list(url, headers)).map(({ name }) => name)

async function call(url: string, name: string, input: Json = {}, headers: Record<string, string> = {}) {
  const params = { name, arguments: input }
  const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
  const body = response.json<{ result?: { isError?: boolean; content: { text: string }[] }; error?: Json }>()
  return { status: response.statusCode, ...body, text: body.result?.content[0]?.text ?? '' }
}

async function as(userId: string, changes: TokenChanges = {}) {
  return { authorization: `Bearer ${await gateway.makeToken({ userId, grantId: userId, ...changes })}` }
}

const tools = catalogue.filter((operation) => operation.mcp)
const ofToolset = (name: string) => tools.filter((each) => each.toolset === name).map((each) => each.id)
const always = [...ofToolset('general'), 'get_current_user']

describe('an address lists', () => {
  test('by default, all toolsets but those that few people need', async () => {
    const rare = new Set(['live', 'mcp_servers'])
    expect(await namesAt('/mcp')).toEqual(
      tools.filter((each) => !rare.has(each.toolset)).map((each) => each.id),
    )
  })

  test('at /mcp/x/all, everything', async () => {
    expect(await namesAt('/mcp/x/all')).toEqual(tools.map((each) => each.id))
  })

  test.each(toolsetNames)('at /mcp/x/%s, that toolset and what comes with each', async (name) => {
    expect((await namesAt(`/mcp/x/${name}`)).toSorted()).toEqual(
      [...new Set([...ofToolset(name), ...always])].toSorted(),
    )
  })

  test('of several toolsets, all of them, in the order of the catalogue', async () => {
    const names = await namesAt('/mcp/x/profiles+benchmarks')
    const expected = new Set([...ofToolset('benchmarks'), ...ofToolset('profiles'), ...always])
    expect(names).toEqual(tools.filter((each) => expected.has(each.id)).map((each) => each.id))
    expect(await namesAt('/mcp', { 'x-mcp-toolsets': 'benchmarks,profiles' })).toEqual(names)
  })

  test('at /mcp/compact, a handful with which everything is reached', async () => {
    const names = await namesAt('/mcp/compact')
    expect(names).toEqual(expect.arrayContaining(['find_tools', 'describe_tool', 'call_tool']))
    expect(names.length).toBeLessThanOrEqual(10)
  })

  test.each(['/mcp/readonly', '/mcp/x/all/readonly', '/mcp/compact/readonly', '/mcp?readonly=true'])(
    'at %s, only what reads',
    async (url) => {
      const listed = await list(url)
      expect(listed.length).toBeGreaterThan(5)
      for (const { annotations } of listed) {
        expect(annotations).toMatchObject({
          readOnlyHint: true,
          destructiveHint: false,
          openWorldHint: false,
        })
      }
      expect(listed.map(({ name }) => name)).toContain('call_tool')
    },
  )

  test('output schemas only where they were asked for', async () => {
    expect((await list('/mcp/x/all')).filter((each) => each.outputSchema !== undefined)).toEqual([])
    const withSchemas = await list('/mcp/x/all?output_schemas=true')
    const without = withSchemas.filter((each) => each.outputSchema === undefined).map((each) => each.name)
    const asking = tools.filter((each) => each.effect === 'destroy' || each.effect === 'run')
    expect(without).toEqual(asking.map((each) => each.id))
  })

  test('names of another product when they are asked for, and not otherwise', async () => {
    const names = await namesAt('/mcp/x/octoperf_names')
    expect(names).toEqual(
      expect.arrayContaining(['list_projects_by_workspace', 'remove_workspace_member', 'create_project']),
    )
    expect(names).not.toContain('compare_runs')
    expect(await namesAt('/mcp/x/all')).not.toContain('list_projects_by_workspace')
  })

  test('the same bytes compressed as plain, whatever is listed', async () => {
    for (const url of ['/mcp/compact', '/mcp/x/benchmarks/readonly', '/mcp/w/acme']) {
      const plain = await post(url, listRequest)
      const compressed = await post(url, listRequest, { 'accept-encoding': 'gzip' })
      expect(compressed.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body)
    }
  })

  test('the same by the SDK', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/logLevel': 'info',
    }
    const response = await post(
      '/mcp/x/profiles/readonly',
      { ...listRequest, params: { _meta: meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    )
    const { tools: bySdk } = response.json<{ result: { tools: Listed[] } }>().result
    expect(bySdk).toEqual(await list('/mcp/x/profiles/readonly'))
  })
})

describe('who they are decides what people are shown', () => {
  test('a viewer of all workspaces sees nothing that changes something', async () => {
    const listed = await list('/mcp/x/all', await as('usr_vic'))
    expect(listed.filter(({ annotations }) => !annotations['readOnlyHint']).map(({ name }) => name)).toEqual([
      'call_tool',
    ])
  })

  test('a member sees what members may do, and nothing for admins', async () => {
    const names = await namesAt('/mcp/x/all', await as('usr_mem'))
    expect(names).toContain('create_project')
    for (const name of ['delete_project', 'search_audit_log', 'set_workspace_member']) {
      expect(names).not.toContain(name)
    }
  })

  test('who is admin somewhere sees what admins may do, but not where they are none', async () => {
    expect(await namesAt('/mcp/x/all')).toContain('delete_project')
    expect(await namesAt('/mcp/w/acme/x/all')).toContain('delete_project')
    expect(await namesAt('/mcp/w/other/x/all')).not.toContain('delete_project')
    expect(await namesAt('/mcp/w/other/x/all')).not.toContain('create_project')
  })

  test('a credential for one workspace shows what its role there may do', async () => {
    const headers = await as('usr_ada', { choices: { wid: ['ws_other'] } })
    expect(await namesAt('/mcp', headers)).not.toContain('create_project')
  })

  test('a missing scope hides nothing: it can be asked for', async () => {
    const scopes: Scope[] = ['read']
    expect(await namesAt('/mcp', await as('usr_ada', { scopes }))).toContain('delete_project')
  })

  test('what the person left the connection is all that is there', async () => {
    const headers = await as('usr_ada', { choices: { tsets: ['profiles'], ro: true } })
    const names = await namesAt('/mcp/x/all', headers)
    expect(names).toEqual(expect.arrayContaining(['list_profiles', 'find_tools', 'get_current_user']))
    for (const name of ['compare_runs', 'delete_profile', 'create_profile_upload', 'list_projects']) {
      expect(names).not.toContain(name)
    }
  })

  test('when roles cannot be told, all is listed: what may be done is decided elsewhere', async () => {
    const failing = await startTestGateway('http://localhost')
    failing.identity.listMemberships = () => Promise.reject(new Error('no database'))
    const headers = {
      authorization: `Bearer ${await failing.makeToken()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const response = await failing.app.inject({ method: 'POST', url: '/mcp', headers, payload: listRequest })
    const { tools: listed } = response.json<{ result: { tools: Listed[] } }>().result
    expect(listed.map(({ name }) => name)).toContain('delete_project')
    await failing.close()
  })
})

describe('calling what is not shown is refused, with the reason', () => {
  test.each<[string, string, Json, RegExp]>([
    ['/mcp/x/all/readonly', 'create_project', {}, /connection_limited.*may only read/],
    [
      '/mcp/x/benchmarks',
      'list_profiles',
      {},
      /toolset profiles, which this address does not list.*call_tool/,
    ],
    ['/mcp/compact', 'list_profiles', {}, /call_tool calls it all the same/],
    ['/mcp', 'list_projects_by_workspace', {}, /\/mcp\/x\/octoperf_names/],
    [
      '/mcp/readonly',
      'call_tool',
      { name: 'delete_profile', arguments: { profile_id: 'prf_1' } },
      /may only read/,
    ],
  ])('at %s, %s', async (url, name, input, why) => {
    const { status, result, text } = await call(url, name, input)
    expect([status, result?.isError]).toEqual([200, true])
    expect(text).toMatch(why)
    expect(gateway.calls).toEqual([])
  })

  test('what the person did not leave the connection is not reached by call_tool either', async () => {
    const headers = await as('usr_ada', { choices: { tsets: ['profiles'] } })
    const direct = await call('/mcp', 'compare_runs', {}, headers)
    const indirect = await call('/mcp', 'call_tool', { name: 'compare_runs' }, headers)
    for (const { text } of [direct, indirect]) {
      expect(text).toMatch(
        /toolset benchmarks, which this connection was not given\. It has general, profiles\./,
      )
    }
    expect(gateway.calls).toEqual([])
  })

  test('a tool that nobody has is a protocol error', async () => {
    expect((await call('/mcp', 'no_such_tool')).error).toMatchObject({ code: -32_602 })
  })

  test('reading is passed on as reading: the API refuses the rest by itself', async () => {
    await call('/mcp/readonly', 'list_projects', { workspace_id: 'ws_acme' })
    expect(gateway.calls[0]?.origin.principal).toMatchObject({ isReadOnly: true })
  })
})

describe('call_tool', () => {
  test.each<[string, Json]>([
    ['an object', { name: 'list_runs', arguments: { repository: 'a/b' } }],
    ['JSON text', { name: 'list_runs', arguments: '{"repository":"a/b"}' }],
  ])('calls the tool within as if it had been called itself, with %s', async (_kind, input) => {
    await call('/mcp/compact', 'call_tool', input)
    expect(gateway.calls).toMatchObject([{ operation: 'list_runs', input: { repository: 'a/b' } }])
  })

  test.each<[string, Json]>([
    ['without arguments', { name: 'list_workspaces' }],
    ['with empty text', { name: 'list_workspaces', arguments: '' }],
  ])('calls it %s', async (_kind, input) => {
    await call('/mcp', 'call_tool', input)
    expect(gateway.calls).toMatchObject([{ operation: 'list_workspaces', input: {} }])
  })

  test.each<[string, Json]>([
    ['a tool that nobody has', { name: 'list_run' }],
    ['itself', { name: 'call_tool', arguments: { name: 'list_runs' } }],
    ['arguments that are no object', { name: 'list_runs', arguments: [1] }],
    ['text that is no JSON', { name: 'list_runs', arguments: '{' }],
    ['something beside the arguments', { name: 'list_runs', argument: {} }],
    ['no name', {}],
  ])('leaves it to the operation to say what is wrong with %s', async (_kind, input) => {
    await call('/mcp', 'call_tool', input)
    expect(gateway.calls).toMatchObject([{ operation: 'call_tool', input }])
  })

  test('asks for the scope of the tool within', async () => {
    gateway.answerWith({ status: 403, body: '{"content":[],"isError":true}' })
    const params = { name: 'call_tool', arguments: { name: 'create_project', arguments: {} } }
    const response = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(response.statusCode).toBe(403)
    expect(response.headers['www-authenticate']).toMatch(/error="insufficient_scope".*scope="read write"/)
  })
})

describe('names of another product', () => {
  test.each<[string, Json, string, Json]>([
    ['list_projects_by_workspace', { workspace_id: 'ws_1' }, 'list_projects', { workspace_id: 'ws_1' }],
    ['list_project_files', { project_id: 'prj_1', limit: 5 }, 'list_files', { owner: 'prj_1', limit: 5 }],
    ['read_project_file_lines', { file_id: 'fil_1' }, 'read_file_lines', { file_id: 'fil_1' }],
  ])('%s', async (name, input, operation, seen) => {
    await call('/mcp/x/octoperf_names', name, input)
    expect(gateway.calls).toMatchObject([{ operation, input: seen }])
    expect(gateway.calls[0]?.input).toEqual(seen)
  })

  test('show their own fields and not what the name says already', async () => {
    const listed = new Map((await list('/mcp/x/octoperf_names')).map((tool) => [tool.name, tool.inputSchema]))
    expect(Object.keys(listed.get('list_project_files')?.properties ?? {})).toContain('project_id')
    expect(Object.keys(listed.get('remove_workspace_member')?.properties ?? {})).toEqual([
      'workspace_id',
      'email',
      'confirm',
    ])
    expect(listed.get('remove_workspace_member')?.required).toEqual(['workspace_id', 'email'])
  })
})

describe('an address of a workspace', () => {
  const projects = {
    status: 200,
    body: JSON.stringify({
      content: [],
      structuredContent: { projects: [{ id: 'prj_1', slug: 'checkout' }], next_cursor: null },
    }),
  }

  test('asks for it nowhere, and fills it in', async () => {
    for (const { inputSchema } of await list('/mcp/w/acme/x/all')) {
      expect(inputSchema.properties).not.toHaveProperty('workspace_id')
      expect(inputSchema.required ?? []).not.toContain('workspace_id')
    }
    await call('/mcp/w/acme', 'list_projects', { limit: 3 })
    await call('/mcp/w/ws_acme', 'get_usage')
    expect(gateway.calls.map(({ operation, input }) => [operation, input])).toEqual([
      ['list_projects', { workspace_id: 'ws_acme', limit: 3 }],
      ['get_usage', { workspace_id: 'ws_acme' }],
    ])
  })

  test('reaches nothing else: the API is told of this workspace alone', async () => {
    await call('/mcp/w/acme', 'list_runs', { repository: 'a/b' })
    expect(gateway.calls[0]?.origin.principal.workspaceIds).toEqual(['ws_acme'])
    gateway.calls.length = 0
    await call('/mcp', 'list_runs', { repository: 'a/b' })
    expect(gateway.calls[0]?.origin.principal.workspaceIds).toBeUndefined()
  })

  test('is the same principal each time, because what is made of one is kept', async () => {
    await call('/mcp/w/acme', 'list_workspaces')
    await call('/mcp/w/acme', 'list_workspaces')
    const [first, second] = gateway.calls
    expect(first?.origin.principal).toBe(second?.origin.principal)
  })

  test('refuses another workspace in the arguments, and takes its own', async () => {
    const { result, text } = await call('/mcp/w/acme', 'list_projects', { workspace_id: 'ws_other' })
    expect(result?.isError).toBe(true)
    expect(text).toMatch(/workspace_id: This address is about ws_acme/)
    expect(gateway.calls).toEqual([])
    await call('/mcp/w/acme', 'list_projects', { workspace_id: 'ws_acme' })
    expect(gateway.calls).toHaveLength(1)
  })

  test('with a project, fills that in as well, where benchmarks are kept by repository too', async () => {
    gateway.answerWith(projects)
    const listed = await list('/mcp/w/acme/checkout/x/all')
    const fields = new Map(
      listed.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
    )
    expect(fields.get('list_runs')).not.toContain('repository')
    expect(fields.get('list_profiles')).not.toContain('project_id')
    // There it is what a project has, and not where one is.
    expect(fields.get('update_project')).toContain('repository')
    gateway.calls.length = 0
    await call('/mcp/w/acme/checkout', 'list_runs', { limit: 1 })
    await call('/mcp/w/acme/prj_1', 'list_profiles')
    await call('/mcp/w/acme/checkout', 'call_tool', { name: 'search', arguments: { query: 'x' } })
    expect(gateway.calls.filter(({ operation }) => operation !== 'list_projects')).toMatchObject([
      { operation: 'list_runs', input: { repository: 'prj_1', limit: 1 } },
      { operation: 'list_profiles', input: { project_id: 'prj_1' } },
      { operation: 'search', input: { project_id: 'prj_1', query: 'x' } },
    ])
  })

  test('looks a project up once, in its workspace alone', async () => {
    gateway.answerWith(projects)
    const headers = await as('usr_mem')
    for (let time = 0; time < 3; time += 1) await list('/mcp/w/acme/checkout', headers)
    expect(gateway.calls).toMatchObject([
      { operation: 'list_projects', origin: { principal: { workspaceIds: ['ws_acme'] } } },
    ])
  })

  test.each([
    ['/mcp/w/nowhere', 'workspace_not_found', /You reach: acme, other\./],
    ['/mcp/w/acme/nothing', 'project_not_found', /There are: checkout\./],
    ['/mcp/x/toys', 'toolset_not_found', /There are: all, workspace/],
    ['/mcp/toys', 'not_found', /There are: \/mcp/],
  ])('%s is refused with those there are', async (url, code, detail) => {
    gateway.answerWith(projects)
    const response = await post(url, listRequest)
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toContain('application/problem+json')
    expect(response.json()).toMatchObject({ code, status: 404, detail: expect.stringMatching(detail) })
  })

  test('of others is as if it were not there', async () => {
    const foreign = await post('/mcp/w/other', listRequest, await as('usr_mem'))
    const missing = await post('/mcp/w/missing', listRequest, await as('usr_mem'))
    expect([foreign.statusCode, missing.statusCode]).toEqual([404, 404])
    expect(foreign.json<Json>()['detail']).toBe(
      String(missing.json<Json>()['detail']).replace('missing', 'other'),
    )
  })

  test('is not reached with a credential that is limited to another one', async () => {
    gateway.identity.addApiToken(hashSecret('fg_other'), {
      id: 'tok_1',
      name: 'CI',
      userId: 'usr_ada',
      workspaceId: 'ws_other',
      scopes: ['read'],
      expiresAt: null,
    })
    const headers = { authorization: 'Bearer fg_other' }
    expect((await post('/mcp/w/acme', listRequest, headers)).statusCode).toBe(404)
    expect((await post('/mcp/w/other', listRequest, headers)).statusCode).toBe(200)
  })
})

describe('every address', () => {
  const addresses = [
    '/mcp',
    '/mcp/x/all',
    '/mcp/x/benchmarks+profiles/readonly',
    '/mcp/compact',
    '/mcp/w/acme/checkout/x/benchmarks/readonly',
    '/mcp?output_schemas=true',
    '/mcp/x/toys',
  ]

  test.each(addresses)('%s asks for a token first, and says where to get one for it', async (url) => {
    const response = await gateway.app.inject({ method: 'POST', url, payload: 'x' })
    expect(response.statusCode).toBe(401)
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(String(response.headers['www-authenticate']))?.[1]
    const metadata = await gateway.app.inject({
      method: 'GET',
      url: String(metadataUrl).slice('http://localhost'.length),
    })
    expect(metadata.json<Json>()['resource']).toBe(`http://localhost${url}`)
  })

  test.each(addresses)('%s is no place to GET from', async (url) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await gateway.app.inject({ method: 'GET', url, headers })
    expect([response.statusCode, response.headers['allow']]).toEqual([405, 'POST'])
  })

  test('the guides below /mcp/public stay open to everybody', async () => {
    const response = await gateway.app.inject({ method: 'GET', url: '/mcp/public/AGENTS.md' })
    expect(response.statusCode).toBe(200)
  })
})
