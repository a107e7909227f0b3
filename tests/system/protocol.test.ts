import { operations } from '@flamegate/contract'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { callTool, rpc } from './calls.ts'
import { apiToken, invite, platform } from './person.ts'
import { createWorld, type World } from './world.ts'

// What MCP has besides tools, through everything down to the database.

let world: World
let token: string
let outsiderToken: string

beforeAll(async () => {
  world = await createWorld()
  token = await apiToken(world.owner, ['read', 'write'])
  outsiderToken = await apiToken(world.outsider, ['read'])
})

const read = async (uri: string, reader: string) => {
  const { body } = await rpc('resources/read', { uri }, { token: reader })
  return body
}

test('a run, a project, a benchmark, a profile and a virtual user are resources, for their people only', async () => {
  const uris = [
    `flamegate://run/${world.headRunId}`,
    `flamegate://project/${world.projectId}`,
    `flamegate://benchmark/${world.benchmarkId}`,
    `flamegate://profile/${world.profileId}`,
    `flamegate://virtual_user/${world.virtualUserId}`,
  ]
  for (const uri of uris) {
    expect(await read(uri, token)).toMatchObject({
      result: { contents: [{ uri, mimeType: 'text/markdown', text: expect.stringMatching(/.{20}/s) }] },
    })
    expect(await read(uri, outsiderToken)).toMatchObject({ error: { code: -32_002, data: { uri } } })
  }
})

/** A request of 2026-07-28 by a client that takes tasks. */
async function modern(method: string, params: Record<string, unknown>, bearer = token): Promise<Response> {
  const name = params['name'] ?? params['taskId']
  return fetch(platform().mcpUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${bearer}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {
            extensions: { 'io.modelcontextprotocol/tasks': {} },
          },
        },
      },
    }),
  })
}

const taskSchema = z.object({
  result: z.object({ taskId: z.string(), status: z.string(), result: z.unknown().optional() }),
})

test('reading a profile is a task that can be waited for, and is nobody else’s', async () => {
  const started = await modern('tools/call', {
    name: 'create_profile_upload',
    arguments: { project_id: world.projectId, file_name: 'stacks.txt', content: 'main;a 3\nmain;b 4\n' },
  })
  const { taskId } = taskSchema.parse(await started.json()).result
  const other = await modern('tasks/get', { taskId }, outsiderToken)
  expect(await other.json()).toMatchObject({ error: { code: -32_602 } })
  await expect
    .poll(async () => taskSchema.parse(await (await modern('tasks/get', { taskId })).json()).result, {
      timeout: 90_000,
    })
    .toMatchObject({ status: 'completed', result: { content: [{ type: 'text' }] } })
  const listed = await callTool(operations.listProfiles, { project_id: world.projectId }, { token })
  expect(listed.text).toContain('stacks.txt')
})

test('a person hears on an open stream that their role changed', async () => {
  const person = await invite(world.owner, 'member', 'Listener')
  const listener = await apiToken(person, ['read'], world.owner.workspaceId)
  const stream = await modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, listener)
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toContain('notifications/subscriptions/acknowledged')
  await world.owner.client.call(operations.setWorkspaceMember, {
    workspace_id: world.owner.workspaceId,
    email: person.email,
    role: 'admin',
  })
  expect((await reader?.read())?.value).toContain('notifications/tools/list_changed')
  await reader?.cancel()
})
