import { operations, type AnswerOf } from '@flamegate/contract'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { apiToken, invite, logIn, platform, signUp, type Person } from './person.ts'

let demo: Person
let token: string
let comparison: AnswerOf<typeof operations.compareRuns>
let workspace: { id: string; slug: string }
const repository = 'flamegate-demo/checkout-service'

beforeAll(async () => {
  demo = await logIn(platform().demo.email, platform().demo.password)
  token = await apiToken(demo, ['read', 'admin'])
  comparison = await demo.client.call(operations.compareRuns, { repository })
  const { workspaces } = await demo.client.call(operations.listWorkspaces, {})
  workspace = workspaces.find(({ id }) => id === demo.workspaceId) ?? { id: '', slug: '' }
})

const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) })
const called = z.object({
  result: z.object({
    content: z.array(z.object({ text: z.string() })),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    isError: z.boolean().optional(),
  }),
})

async function post(address: string, method: string, params: Record<string, unknown>, bearer = token) {
  return fetch(platform().mcpUrl + address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}

async function call(address: string, name: string, input: Record<string, unknown> = {}, bearer = token) {
  const answer = await post(address, 'tools/call', { name, arguments: input }, bearer)
  return called.parse(await answer.json()).result
}

async function namesAt(address: string, bearer = token): Promise<string[]> {
  const answer = await post(address, 'tools/list', {}, bearer)
  return listed.parse(await answer.json()).result.tools.map(({ name }) => name)
}

describe('an address of a project', () => {
  test('answers for it without being told which, and reaches no other workspace', async () => {
    const { projects } = await demo.client.call(operations.listProjects, { workspace_id: demo.workspaceId })
    const project = projects.find((each) => each.repository === repository)
    const address = `/w/${workspace.slug}/${project?.slug}/x/benchmarks/readonly`
    const { structuredContent } = await call(address, 'list_runs', { limit: 1 })
    expect(structuredContent?.['runs']).toEqual([expect.objectContaining({ project_id: project?.id })])
    expect(await namesAt(address)).not.toContain('submit_benchmark_results')

    const stranger = await signUp('Stranger')
    const theirs = await apiToken(stranger, ['read'])
    expect((await post(address, 'tools/list', {}, theirs)).status).toBe(404)
    const other = await call(`/w/${stranger.workspaceId}`, 'get_run', { run_id: comparison.head.id }, theirs)
    expect(other.content[0]?.text).toContain('run_not_found')
  })

  test('is refused with those there are when there is none of that name', async () => {
    const answer = await post(`/w/${workspace.slug}/nothing`, 'tools/list', {})
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'project_not_found', detail: expect.stringContaining('checkout') }),
    ])
  })
})

test('a viewer is shown nothing that changes something, and is refused when they call it', async () => {
  const owner = await signUp('Owner')
  const viewer = await invite(owner, 'member', 'Viewer')
  // A token reaches one workspace, and members make them.
  const theirs = await apiToken(viewer, ['read', 'write'], owner.workspaceId)
  await owner.client.call(operations.setWorkspaceMember, {
    workspace_id: owner.workspaceId,
    email: viewer.email,
    role: 'viewer',
  })
  const names = await namesAt('/x/all', theirs)
  expect(names).toContain('list_projects')
  expect(names).not.toContain('create_project')
  const input = { workspace_id: owner.workspaceId, name: 'Theirs' }
  const { content } = await call('/x/all', 'create_project', input, theirs)
  expect(content[0]?.text).toContain('(insufficient_role)')
})

const profileId = async () => {
  const graph = await demo.client.call(operations.queryFlamegraph, {
    run_id: comparison.head.id,
    benchmark: comparison.benchmarks[0]?.uri,
  })
  return graph.profile_id
}

describe('answers on real data keep to 8,000 tokens when nothing else is asked for', () => {
  test.each<[string, () => Record<string, unknown> | Promise<Record<string, unknown>>]>([
    ['analyze_profile', async () => ({ profile_id: await profileId() })],
    ['compare_runs', () => ({ repository })],
    ['describe_tool', () => ({ name: 'compare_runs' })],
    ['fetch', () => ({ id: comparison.head.id })],
    ['find_tools', () => ({})],
    ['generate_flamegraph', async () => ({ profile_id: await profileId() })],
    ['get_benchmark_history', () => ({ benchmark_id: comparison.benchmarks[0]?.benchmark_id })],
    ['get_current_user', () => ({})],
    ['get_profile', async () => ({ profile_id: await profileId() })],
    ['get_run', () => ({ repository })],
    ['get_usage', () => ({ workspace_id: demo.workspaceId })],
    ['list_benchmarks', () => ({ repository })],
    ['list_files', () => ({ owner: comparison.head.project_id })],
    ['list_profiles', () => ({ project_id: comparison.head.project_id })],
    ['list_projects', () => ({ workspace_id: demo.workspaceId })],
    ['list_repositories', () => ({})],
    ['list_runs', () => ({ repository })],
    ['query_flamegraph', () => ({ run_id: comparison.head.id, benchmark: comparison.benchmarks[0]?.uri })],
    ['read_guide', () => ({})],
    ['search', () => ({ query: 'main' })],
    ['search_audit_log', () => ({ workspace_id: demo.workspaceId })],
  ])('%s', async (name, input) => {
    const result = await call('', name, await input())
    expect(result.isError).toBeUndefined()
    expect(result.structuredContent).toBeDefined()
    // A client shows its model the one or the other.
    expect(encode(result.content[0]?.text ?? '').length).toBeLessThanOrEqual(8_000)
    expect(encode(JSON.stringify(result.structuredContent)).length).toBeLessThanOrEqual(8_000)
  })
})
