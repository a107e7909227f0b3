import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { apiToken, logIn, platform, signUp, type Person } from '../system/person.ts'
import { programEnv } from '../system/program-env.ts'
import { followGuide } from './follow-guide.ts'

/**
 * The guides about programs that run, followed letter by letter: a shop with planted faults that pushes how it is doing, and a
 * collector beside it that may look into it, and measure an MCP server of which a person mends the slow function meanwhile.
 */

const stage = join(import.meta.dirname, 'stage')
const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')

/** A build of the tool of the MCP server: it sorts everything for each call. */
const slowBuild = `
const notes = Array.from({ length: 3000 }, (_, index) => 'note ' + ((index * 7919) % 3000))
export function findNotes(words) {
  return sorted().filter((note) => note.includes(words)).slice(0, 10)
}
const sorted = () => notes.toSorted((a, b) => a.localeCompare(b))
`
/** The same after the change: it is sorted once. */
const quickBuild = `${slowBuild.replace(/const sorted.*/, '')}
notes.sort((a, b) => a.localeCompare(b))
const sorted = () => notes
`

const side = z.object({ label: z.string() })
const compared = z.object({
  base: side,
  head: side,
  operations: z.tuple([
    z.object({ metrics: z.array(z.object({ metric: z.string(), change_percent: z.number().nullable() })) }),
  ]),
})

let folder: string
let owner: Person
let projectId: string
let appId: string
let token: string
let build: string
const programs: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-guides-'))
  build = join(folder, 'build.mjs')
  await writeFile(build, slowBuild)
  owner = await signUp('Guided')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Guided',
  })
  projectId = project.id
  token = await apiToken(owner, ['read', 'write', 'run'])
  const app = await owner.client.call(operations.registerLiveApp, { project_id: projectId, name: 'shop' })
  appId = app.live_app.id
  const shop = start(['--inspect=127.0.0.1:0', join(stage, 'leaking-shop.ts')], {
    FLAMEGATE_LIVE_URL: platform().url,
    FLAMEGATE_LIVE_APP: appId,
    FLAMEGATE_LIVE_TOKEN: app.token,
  })
  const inspector = /ws:\/\/([\d.:]+)\//.exec(await said(shop, 'ws://'))?.[1] ?? ''
  const file = join(folder, 'collect.json')
  await writeFile(
    file,
    JSON.stringify({
      name: 'here',
      allow: { shop: { kind: 'inspect', url: inspector, types: ['cpu', 'heap_snapshot'] } },
      mcp: { notes: { command: [process.execPath, join(stage, 'notes-server.ts'), build] } },
    }),
    { mode: 0o600 },
  )
  const collector = start([cli, 'agent', '--collect', file], {
    HOME: folder,
    FLAMEGATE_URL: platform().url,
    FLAMEGATE_TOKEN: await apiToken(owner, ['upload']),
    FLAMEGATE_PROJECT: projectId,
  })
  await said(collector, 'may measure: notes')
})
afterAll(async () => {
  await Promise.all(programs.map(stop))
  await rm(folder, { recursive: true, force: true })
})

function start(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const program = spawn(process.execPath, args, { cwd: folder, env: { ...programEnv, ...env } })
  programs.push(program)
  return program
}

/** What a program has said when it said `wanted`. */
async function said(program: ChildProcess, wanted: string): Promise<string> {
  let text = ''
  for (const stream of [program.stdout, program.stderr]) {
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  }
  await vi.waitFor(() => expect(text).toContain(wanted), { timeout: 60_000, interval: 50 })
  return text
}

async function stop(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill('SIGINT')
  await ended
}

test('flame-graph-reading leads from the profiles of the demo to the function and its lines', async () => {
  const { email, password } = platform().demo
  const person = await logIn(email, password)
  const { projects } = await person.client.call(operations.listProjects, {
    workspace_id: person.workspaceId,
    search: 'checkout',
  })
  const answers = await followGuide('flame-graph-reading', {
    token: await apiToken(person, ['read']),
    given: { project_id: projects[0]?.id },
  })
  expect(answers.get('query_flamegraph')).toMatchObject({ sample_type: 'cpu', unit: 'nanoseconds' })
  expect(answers.get('get_source_lines')?.['lines']).not.toEqual([])
})

test('tool-sets leads to a tool that is found by words, and calls it', async () => {
  const answers = await followGuide('tool-sets', { token, given: { project_id: projectId } })
  expect(answers.get('call_tool')).toMatchObject({ live_apps: [{ name: 'shop' }] })
})

test('connect-a-client finds a way in, and brings the file for the agent', async () => {
  const cwd = await mkdtemp(join(folder, 'checkout-'))
  const answers = await followGuide('connect-a-client', { token, given: { url: platform().mcpUrl }, cwd })
  expect(answers.get('get_current_user')).toMatchObject({ scopes: ['read', 'write', 'run'] })
  expect(await readFile(join(cwd, 'AGENTS.md'), 'utf8')).toContain('# Flamegate for agents')
})

test('arguments of prompts are completed by what the reader may see', async () => {
  const stranger = await apiToken(await signUp('Stranger'), ['read'])
  expect(await completed(token, 'find-hot-spots', 'project_id', 'gui')).toEqual([projectId])
  expect(await completed(token, 'triage-live-app', 'live_app_id', 'sho')).toEqual([appId])
  expect(await completed(stranger, 'find-hot-spots', 'project_id', '')).not.toContain(projectId)
  expect(await completed(stranger, 'triage-live-app', 'live_app_id', '')).toEqual([])
})

async function completed(
  reader: string,
  prompt: string,
  argument: string,
  value: string,
): Promise<readonly string[]> {
  const client = new Client({ name: 'a-client', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(platform().mcpUrl), {
      requestInit: { headers: { authorization: `Bearer ${reader}` } },
    }),
  )
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: prompt },
    argument: { name: argument, value },
  })
  await client.close()
  return completion.values
}

test('live-triage names what is slow, the queue that is full, and keeps the evidence', async () => {
  // It takes seconds until the shop has written so many mails.
  const mails = async () =>
    (await owner.client.call(operations.channels, { live_app_id: appId })).rows.map(({ state }) => state)
  await expect.poll(mails).toEqual(['full'])
  const answers = await followGuide('live-triage', { token, given: { live_app_id: appId } })
  expect(answers.get('functions_timing')).toMatchObject({
    rows: expect.arrayContaining([expect.objectContaining({ name: 'searchProducts' })]),
  })
  expect(answers.get('channels')).toMatchObject({ rows: [{ name: 'mails', state: 'full' }] })
})

test('memory-leak-hunt finds the sessions of the shop, and the variable that holds them', async () => {
  const answers = await followGuide('memory-leak-hunt', {
    token,
    given: { project_id: projectId, capture: 'shop' },
  })
  expect(answers.get('analyze_heap_time_series')).toMatchObject({
    growing: expect.arrayContaining([expect.objectContaining({ function_name: 'VisitorSession' })]),
  })
  // Each snapshot is taken by an inspector of its own.
  expect(answers.get('get_heap_snapshot_classes')).toMatchObject({
    classes: expect.arrayContaining([expect.objectContaining({ class_name: 'VisitorSession' })]),
    notes: [expect.stringContaining('an inspector left in between')],
  })
  expect(answers.get('get_heap_retainers')).toMatchObject({ class_name: 'VisitorSession' })
  expect(JSON.stringify(answers.get('get_heap_retainers')?.['objects'])).toContain('"edge_name":"sessions"')
})

test('profile-an-mcp-server shows that the change of its slow function helped', async () => {
  const answers = await followGuide('profile-an-mcp-server', {
    token,
    given: { project_id: projectId, server: 'notes' },
    async afterStep(_step, soFar) {
      if (soFar.has('query_flamegraph')) await writeFile(build, quickBuild)
    },
  })
  expect(answers.get('query_flamegraph')).toMatchObject({
    expensive_calls: expect.arrayContaining([expect.objectContaining({ function_name: 'sorted' })]),
  })
  // Other work of the machine makes some calls wait for long, which moves the mean: half of them are quicker all the same.
  const comparison = compared.parse(answers.get('compare_mcp_sessions'))
  expect(comparison).toMatchObject({ base: { label: 'before' }, head: { label: 'after' } })
  const p50 = comparison.operations[0].metrics.find(({ metric }) => metric === 'p50_ms')
  expect(p50?.change_percent).toBeLessThan(-40)
})
