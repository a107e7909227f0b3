import { catalogue, operations, type Operation, type Scope } from '@flamegate/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { inputs } from './inputs.ts'
import { apiToken, platform } from './person.ts'
import { tokenOfProject } from './project-tokens.ts'
import { createWorld, type World } from './world.ts'

/**
 * An address with a project in it is about that project, whatever id it is shown: for every tool that takes an id of
 * something that belongs to a project. A new operation joins by its line in inputs.ts.
 */

let world: World
let otherProjectId: string
const tokens: Record<'all' | 'ofOther', string> = { all: '', ofOther: '' }

beforeAll(async () => {
  world = await createWorld()
  const scopes: Scope[] = ['read', 'write', 'run', 'admin', 'upload']
  tokens.all = await apiToken(world.owner, scopes)
  const { project } = await world.owner.client.call(operations.createProject, {
    workspace_id: world.owner.workspaceId,
    name: 'Elsewhere',
    repository: 'acme/elsewhere',
  })
  otherProjectId = project.id
  tokens.ofOther = await tokenOfProject(world.owner, otherProjectId, scopes)
})

const called = z.object({
  result: z.object({
    content: z.array(z.object({ text: z.string() })),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    isError: z.boolean().optional(),
  }),
})

function call(projectId: string, name: string, input: Record<string, unknown>, token = tokens.all) {
  return callAt(`/w/${world.owner.workspaceId}/${projectId}/x/all`, name, input, token)
}

async function callAt(address: string, name: string, input: Record<string, unknown>, token: string) {
  const response = await fetch(platform().mcpUrl + address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  return called.parse(await response.json()).result
}

/** What a tool is asked there: the address has an answer to the others. */
function inputAt({ id }: Operation): Record<string, unknown> {
  const placed = new Set(['workspace_id', 'project_id', 'repository'])
  const all = Object.entries(inputs[id]?.(world) ?? {})
  return Object.fromEntries(all.filter(([name]) => !placed.has(name)))
}

const hasProjectId = (input: Record<string, unknown>) =>
  Object.values(input).some((value) => /^(?:prj|run|ben|prf|fil|tsk)_/.test(String(value)))

// Before there is a world, every id of it is undefined: which inputs have one is seen with a made-up one.
const madeUp = new Proxy(
  { owner: { workspaceId: 'ws_1' } },
  {
    get: (known, name) => (name === 'owner' ? known.owner : 'run_1'),
  },
)

const asked = catalogue.filter((operation) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const input = inputs[operation.id]?.(madeUp as unknown as World) ?? {}
  const { workspace_id: _w, project_id: _p, repository: _r, ...own } = input
  return operation.mcp && hasProjectId(own)
})

test('there are tools to ask', () => {
  expect(asked.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'get_run',
      'compare_runs',
      'get_profile',
      'read_file_lines',
      'cancel_task',
      'fetch',
    ]),
  )
})

const elsewhere: [how: string, place: () => string, token: keyof typeof tokens][] = [
  ['at the address of another', () => `/w/${world.owner.workspaceId}/${otherProjectId}`, 'all'],
  ['with a token that is held to another', () => '', 'ofOther'],
]

/** Where the address does not say which project, what has to be told is the one of the token. */
function inputElsewhere(operation: Operation, token: keyof typeof tokens): Record<string, unknown> {
  const asksProject = 'project_id' in (inputs[operation.id]?.(world) ?? {})
  return {
    ...inputAt(operation),
    ...(token === 'ofOther' && asksProject ? { project_id: otherProjectId } : {}),
  }
}

describe.each(asked.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  test.each(elsewhere)('finds nothing of this project %s', async (_, place, token) => {
    const address = `${place()}/x/all`
    const input = inputElsewhere(operation, token)
    const first = await callAt(address, id, input, tokens[token])
    const confirm = first.structuredContent?.['confirmation_token']
    const result =
      confirm === undefined ? first : await callAt(address, id, { ...input, confirm }, tokens[token])
    expect([result.isError, result.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/\((?:\w+_not_found|no_profile)\)/),
    ])
  })

  test.runIf(operation.effect === 'read')('finds it at the address of its own project', async () => {
    const result = await call(world.projectId, id, inputAt(operation))
    expect([result.isError, result.content[0]?.text]).toEqual([undefined, expect.any(String)])
  })
})

test('call_tool does not lead out of it either', async () => {
  const result = await call(otherProjectId, 'call_tool', {
    name: 'get_run',
    arguments: { run_id: world.headRunId },
  })
  expect(result.content[0]?.text).toContain('run_not_found')
})

test('what lists, searches and takes the latest sees that project alone', async () => {
  const listed = await call(otherProjectId, 'list_projects', {})
  expect(listed.structuredContent?.['projects']).toEqual([expect.objectContaining({ id: otherProjectId })])
  expect((await call(otherProjectId, 'search', { query: 'feat/slow' })).structuredContent).toMatchObject({
    results: [],
  })
  expect((await call(world.projectId, 'search', { query: 'feat/slow' })).structuredContent).not.toMatchObject(
    {
      results: [],
    },
  )
  const latest = await call(otherProjectId, 'get_run', { run_id: 'latest' })
  expect(latest.content[0]?.text).toContain('run_not_found')
})

test('the audit log, which is about all projects, is not read from there', async () => {
  const result = await call(otherProjectId, 'search_audit_log', {})
  expect([result.isError, result.content[0]?.text]).toEqual([
    true,
    expect.stringContaining('about the whole workspace'),
  ])
})

test('a token that is held to another project is not let in at its address', async () => {
  await expect(call(world.projectId, 'get_run', { run_id: 'latest' }, tokens.ofOther)).rejects.toThrow(
    'result',
  )
  expect((await call(otherProjectId, 'list_projects', {}, tokens.ofOther)).structuredContent).toMatchObject({
    projects: [{ id: otherProjectId }],
  })
})

test('no project is created from there', async () => {
  const result = await call(otherProjectId, 'create_project', { name: 'A third' })
  expect(result.content[0]?.text).toContain('connection_limited')
})
