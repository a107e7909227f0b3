import { operations, type Operation } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { givePlan } from './give-plan.ts'
import { apiToken, platform, signUp } from './person.ts'

/** The answer of a tool, as it comes. */
async function callTool(token: string, name: string, args: object): Promise<string> {
  const answer = await fetch(`${platform().url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  return answer.text()
}

test('what a plan has no more of is refused with 402 and what to do, over REST and MCP, and usage is told and exported', async () => {
  const owner = await signUp('Tiny')
  const { workspaceId, client } = owner
  await givePlan(owner, { uploads_per_day: 2, storage_bytes: 100_000 })
  const { project } = await client.call(operations.createProject, { workspace_id: workspaceId, name: 'Shop' })
  const token = await apiToken(owner, ['write'])
  const results = {
    repository: project.id,
    branch: 'main',
    commit_hash: 'abcdef1',
    results: 'BenchmarkA-2 100 10 ns/op\n',
  }
  const post = ({ http }: Operation, body: Record<string, unknown>) =>
    fetch(platform().url + http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(body[name])), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(
        Object.fromEntries(Object.entries(body).filter(([name]) => !http.path.includes(`{${name}}`))),
      ),
    })

  // What there is no room for does not count as an upload.
  const tooLarge = await post(operations.createProfileUpload, {
    project_id: project.id,
    file_name: 'cpu.pb.gz',
    size_bytes: 100_001,
  })
  expect(tooLarge.status).toBe(402)
  expect(await tooLarge.json()).toMatchObject({
    code: 'plan_limit_reached',
    detail: expect.stringMatching(/there is no room for .* more/),
    hint: { operation: 'get_usage' },
  })

  await client.call(operations.submitBenchmarkResults, results)
  await client.call(operations.submitBenchmarkResults, results)
  const refused = await post(operations.submitBenchmarkResults, results)
  expect(refused.status).toBe(402)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({
    code: 'plan_limit_reached',
    detail: expect.stringMatching(/The plan Tiny of this workspace has 2 uploads a day.*midnight UTC/),
  })
  const { runs } = await client.call(operations.listRuns, { repository: project.id })
  expect(runs).toHaveLength(2)

  const answer = await callTool(token, 'submit_benchmark_results', results)
  expect(answer).toContain('plan_limit_reached')
  expect(answer).toContain('2 uploads a day')

  const usage = await client.call(operations.getUsage, { workspace_id: workspaceId })
  expect(usage).toMatchObject({
    plan: `of ${workspaceId}`,
    usage: { uploads_today: 2, agent_hours_this_month: 0 },
    limits: { uploads_per_day: 2, storage_bytes: 100_000, retention_days: { runs: 730 } },
  })
  const exported = await client.call(operations.exportUsage, { workspace_id: workspaceId })
  const [day] = exported.days
  expect(exported.days).toHaveLength(1)
  expect(day).toMatchObject({ uploads: 2, day: new Date().toISOString().slice(0, 10) })
  // Each write is counted before it is answered: the project, the token and the two that were taken.
  expect(day?.calls).toBeGreaterThanOrEqual(4)
  const [head, line] = exported.csv.split('\r\n')
  expect(head).toBe('day,calls,uploads,upload_bytes,agent_seconds,storage_bytes')
  expect(line).toMatch(new RegExp(`^${day?.day},${day?.calls},2,`))

  await expect(
    client.call(operations.exportUsage, {
      workspace_id: workspaceId,
      from: '2024-01-01',
      until: '2026-01-01',
    }),
  ).rejects.toMatchObject({ code: 'invalid_input' })
})

test('what a plan does without is not made, over REST and MCP, and what there is can be read and deleted', async () => {
  const owner = await signUp('Without')
  const { workspaceId, client } = owner
  const { project } = await client.call(operations.createProject, { workspace_id: workspaceId, name: 'Shop' })
  const { http_server: server } = await client.call(operations.createHttpServer, {
    project_id: project.id,
    name: 'shop',
    base_url: 'https://shop.example.com',
  })
  await givePlan(owner, { features_off: ['virtual_users'] })
  const more = { project_id: project.id, name: 'more', base_url: 'https://more.example.com' }
  // A process goes by the plan of before for ten seconds.
  await expect
    .poll(() => client.call(operations.createHttpServer, more).catch((error: unknown) => error))
    .toMatchObject({ code: 'feature_off', status: 403 })
  const token = await apiToken(owner, ['write'])
  const answer = await callTool(token, 'create_variable', {
    project_id: project.id,
    name: 'word',
    type: 'constant',
    value: 'a',
  })
  expect(answer).toContain('feature_off')
  expect(answer).toContain('does not have virtual_users')

  const { http_servers: servers } = await client.call(operations.listHttpServers, { project_id: project.id })
  expect(servers.map(({ id }) => id)).toContain(server.id)
  await client.call(operations.deleteHttpServer, { http_server_id: server.id })
  await client.call(operations.submitBenchmarkResults, {
    repository: project.id,
    branch: 'main',
    commit_hash: 'abcdef1',
    results: 'BenchmarkA-2 100 10 ns/op\n',
  })
  const usage = await client.call(operations.getUsage, { workspace_id: workspaceId })
  expect(usage.limits.features_off).toEqual(['virtual_users'])
})

test('nobody of another workspace sees what was used', async () => {
  const [owner, stranger] = [await signUp('Used'), await signUp('Stranger')]
  await expect(
    stranger.client.call(operations.exportUsage, { workspace_id: owner.workspaceId }),
  ).rejects.toMatchObject({ code: 'workspace_not_found' })
})
