import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { programEnv } from '../../testing/program-env.ts'
import { sampleCommand } from '../testing/start-sample-server.ts'

/** `mcp-profiler serve` as a client starts it, with real measurements of the sample server. */

const program = path.join(import.meta.dirname, '../../mcp-profiler.ts')

let folder: string
let client: Client

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mcp-serve-'))
  const [command, ...args] = sampleCommand
  await writeFile(
    path.join(folder, '.mcp.json'),
    JSON.stringify({ mcpServers: { sample: { command, args, env: { SECRET: 'hidden' } } } }),
  )
  client = await opened([])
})
afterAll(async () => {
  await client.close()
  await rm(folder, { recursive: true })
})

async function opened(options: readonly string[]): Promise<Client> {
  const made = new Client({ name: 'test', version: '1.0.0' })
  const env = { ...programEnv, HOME: folder }
  await made.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'serve', ...options],
      cwd: folder,
      env,
    }),
  )
  return made
}

const answer = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ text: z.string() })).min(1),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
})

async function call(name: string, input: Record<string, unknown>, options = {}) {
  const { isError, content, structuredContent } = answer.parse(
    await client.callTool({ name, arguments: input }, options),
  )
  return { isError: isError === true, text: content[0]?.text ?? '', data: structuredContent }
}

test('its tools say what they do to a server, and what each input is', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['list_mcp_targets', true],
    ['list_mcp_sessions', true],
    ['get_mcp_metrics', true],
    ['compare_mcp_sessions', true],
    ['profile_mcp_server', false],
    ['load_test_mcp_server', false],
    ['diagnose_mcp_server', false],
    ['plan_mcp_capacity', false],
    ['test_mcp_regression', false],
    ['tune_mcp_server', false],
  ])
  for (const { name, inputSchema } of tools) {
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect([name, field, schema]).toEqual([
        name,
        field,
        expect.objectContaining({ description: expect.any(String) }),
      ])
    }
  }
})

test('targets are told by name, with nothing of what is secret', async () => {
  const { data, text } = await call('list_mcp_targets', {})
  expect(data).toEqual({ targets: [{ name: 'sample', from: '.mcp.json', kind: 'command' }], faults: [] })
  expect(text).not.toMatch(/hidden/)
})

test('a server is profiled, tells how far it is, and sessions are listed, shown and compared', async () => {
  const progress: string[] = []
  const profiled = await call(
    'profile_mcp_server',
    { target: 'sample', operations: ['slow'], arguments: { slow: {} }, duration_seconds: 2, label: 'v1' },
    { onprogress: ({ message }: { message?: string }) => progress.push(message ?? '') },
  )
  expect(profiled.text).toMatch(/^# profile of sample \(sample 1\.2\.3\), v1/)
  expect(profiled.data).toMatchObject({
    is_passed: true,
    session: expect.stringMatching(/^\.mcp-profiler.*-profile-sample-v1\.json$/),
    result: { label: 'v1', operations: [{ name: 'slow', failed: 0 }] },
  })
  expect(progress.join('\n')).toMatch(/profile, \d+ s of 2 s/)

  // As if it had been measured again, a minute later.
  const kept = path.join(folder, '.mcp-profiler')
  const name = (await readdir(kept)).find((each) => each.endsWith('.json')) ?? ''
  const report = (await readFile(path.join(kept, name), 'utf8')).replace('"label": "v1"', '"label": "v2"')
  await writeFile(path.join(kept, `later-${name}`), report)
  const listed = await call('list_mcp_sessions', { target: 'sample' })
  expect(listed.data).toMatchObject({ sessions: [{ label: 'v2' }, { label: 'v1' }] })
  const metrics = await call('get_mcp_metrics', { session: 'v1' })
  expect(metrics.data).toMatchObject({ operations: [{ name: 'slow', p50_ms: expect.any(Number) }] })
  const compared = await call('compare_mcp_sessions', { baseline: 'v1', current: 'v2', threshold: 0.1 })
  expect(compared.data).toMatchObject({ result: { type: 'mcp_profiler_comparison' } })
})

test('goals that are missed are told, and are no error of the tool', async () => {
  const failed = await call('load_test_mcp_server', {
    target: 'sample',
    operations: ['slow'],
    concurrent: [2],
    duration_seconds: 1,
    max_latency_ms: 15,
  })
  expect(failed).toMatchObject({ isError: false, data: { is_passed: false } })
  expect(failed.text).toMatch(/Missed: the 95th percentile/)
})

test.each([
  [{ target: 'other' }, /There is no server other .* There are: sample\./],
  [{ target: 'http://127.0.0.1:9/mcp' }, /--allow-commands/],
  [{ target: 'sample', operations: ['remove'] }, /remove cannot be called: .*--may-change/],
])('profile_mcp_server refuses %j', async (input, message) => {
  expect(await call('profile_mcp_server', input)).toMatchObject({
    isError: true,
    text: expect.stringMatching(message),
  })
})

test('a command of the client is no input, unless the person allows it', async () => {
  const input = { target: 'mine', command: [...sampleCommand], operations: ['fails'], samples: 5 }
  expect(await call('profile_mcp_server', input)).toMatchObject({ isError: true })
  const trusting = await opened(['--allow-commands', '--may-change', 'fails'])
  const result = answer.parse(await trusting.callTool({ name: 'profile_mcp_server', arguments: input }))
  await trusting.close()
  expect(result.structuredContent).toMatchObject({ result: { operations: [{ name: 'fails', calls: 5 }] } })
})

test('a call that is cancelled ends its measurement', async () => {
  const controller = new AbortController()
  const input = { target: 'sample', operations: ['slow'], duration_seconds: 600 }
  const long = call('profile_mcp_server', input, {
    signal: controller.signal,
    onprogress: () => controller.abort(),
  })
  await expect(long).rejects.toThrow(/abort/i)
  // It waits for its turn, which comes when the long one has ended.
  expect(
    await call('profile_mcp_server', { target: 'sample', operations: ['slow'], samples: 2 }),
  ).toMatchObject({
    isError: false,
  })
})
