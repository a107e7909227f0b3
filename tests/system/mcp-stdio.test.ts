import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { operations } from '@flamegate/contract'
import * as current from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { apiToken, invite, platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

// Clients that know only commands, as the official SDKs start them: `flamegate mcp-stdio` stands in between.

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const info = { name: 'a-client', version: '1.0' }

let ada: Person
let token: string

beforeAll(async () => {
  ada = await signUp('Ada')
  token = await apiToken(ada, ['read', 'write'])
})

/** How a client starts it. What it says on stderr is kept. */
function command(args: readonly string[] = [], FLAMEGATE_TOKEN = token) {
  const { PATH, NODE_COMPILE_CACHE = '' } = programEnv
  return {
    command: process.execPath,
    args: [cli, 'mcp-stdio', ...args],
    env: { PATH, NODE_COMPILE_CACHE, FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN },
    stderr: 'pipe' as const,
  }
}

async function connectFirst(...how: Parameters<typeof command>) {
  const client = new FirstClient(info)
  onTestFinished(() => client.close())
  await client.connect(new FirstTransport(command(...how)))
  return client
}

function connectCurrent(mode: 'legacy' | 'auto') {
  return async (...how: Parameters<typeof command>) => {
    const client = new current.Client(info, { versionNegotiation: { mode } })
    onTestFinished(() => client.close())
    await client.connect(new StdioClientTransport(command(...how)))
    return client
  }
}

describe.each([
  ['@modelcontextprotocol/sdk 1.x', connectFirst, undefined],
  ['@modelcontextprotocol/client 2.x without looking for more', connectCurrent('legacy'), '2025-11-25'],
  ['@modelcontextprotocol/client 2.x', connectCurrent('auto'), '2026-07-28'],
])('%s', (_name, connect, version) => {
  test('finds, calls and reads all there is', async () => {
    const client = await connect()
    // Whatever is no message on stdout, a client tells here.
    const faults: Error[] = []
    Object.assign(client, { onerror: (error: Error) => void faults.push(error) })
    expect(client.getServerVersion()).toMatchObject({ name: 'flamegate' })
    if (client instanceof current.Client) expect(client.getNegotiatedProtocolVersion()).toBe(version)
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(100)
    const me = await client.callTool({ name: 'get_current_user', arguments: {} })
    expect(me.structuredContent).toMatchObject({ user: { email: ada.email }, credential: 'api_token' })
    const refused = await client.callTool({ name: 'get_run', arguments: { run_id: 'run_none' } })
    expect(refused).toMatchObject({ isError: true })
    const { resources } = await client.listResources()
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
    expect(contents[0]).toMatchObject({ text: expect.stringMatching(/.{100}/s) })
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    })
    expect(faults).toEqual([])
  })

  test('sees at each address what is listed there', async () => {
    const compact = await connect(['--address', '/mcp/compact'])
    const reading = await connect(['--toolsets', 'benchmarks,profiles', '--readonly'])
    expect((await compact.listTools()).tools.length).toBeLessThan(20)
    const { tools } = await reading.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['compare_runs', 'query_flamegraph']),
    )
    expect(tools.map(({ name }) => name)).not.toContain('list_scenarios')
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
  })

  test('is told in words what is refused', async () => {
    await expect(connect(['--toolsets', 'no_such'])).rejects.toThrow('benchmarks')
    await expect(connect([], 'fg_wrong')).rejects.toThrow('refuses the token')
    const reader = await connect([], await apiToken(ada, ['read']))
    const input = { workspace_id: ada.workspaceId, name: 'Not hers' }
    expect(await reader.callTool({ name: 'create_project', arguments: input })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('needs the scope write') }],
    })
  })
})

test('a client of 2026-07-28 hears that other tools are there, since its person has another role', async () => {
  const bob = await invite(ada, 'member', 'Bob')
  const bobs = await apiToken(bob, ['read'], ada.workspaceId)
  const heard = Promise.withResolvers<void>()
  const client = new current.Client(info, {
    versionNegotiation: { mode: 'auto' },
    listChanged: { tools: { autoRefresh: false, onChanged: () => heard.resolve() } },
  })
  onTestFinished(() => client.close())
  await client.connect(new StdioClientTransport(command([], bobs)))
  await ada.client.call(operations.setWorkspaceMember, {
    workspace_id: ada.workspaceId,
    email: bob.email,
    role: 'viewer',
  })
  await heard.promise
})

test('without a credential it ends with 2, and says what to do on stderr alone', async () => {
  const home = await mkdtemp(join(tmpdir(), 'flamegate-stdio-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const child = spawn(process.execPath, [cli, 'mcp-stdio'], { env: { ...programEnv, HOME: home } })
  const [[code], out, error] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  expect([code, out]).toEqual([2, ''])
  expect(error).toContain('flamegate login')
})

test('it ends when the client closes its end', async () => {
  const { command: program, args, env } = command()
  const child = spawn(program, args, { env })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  const [line] = await once(child.stdout, 'data')
  expect(JSON.parse(String(line))).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
})
