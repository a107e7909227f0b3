import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAndConfirm, callTool } from './calls.ts'
import { apiToken, platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

/** An MCP client orders measurements of a real server, which a real collector makes, through the platform. */

const cli = join(import.meta.dirname, '../../apps/cli/src')
const sampleServer = join(cli, 'mcp/testing/sample-server.ts')

let owner: Person
let projectId: string
let folder: string
let uploads: string
let asked: { token: string }
let collector: ChildProcess
let said = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-mcp-collector-'))
  owner = await signUp('Measurer')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Measured',
  })
  projectId = project.id
  uploads = await apiToken(owner, ['upload'])
  asked = { token: await apiToken(owner, ['write', 'run']) }
  const file = join(folder, 'collect.json')
  const command = [process.execPath, sampleServer]
  const sample = {
    command,
    env: { SECRET: 'hidden' },
    operations: ['echo', 'slow', 'fails'],
    seconds_max: 30,
  }
  await writeFile(file, JSON.stringify({ name: 'here', mcp: { sample } }), { mode: 0o600 })
  collector = flamegate(['agent', '--collect', file])
  collector.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()))
  collector.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()))
})
afterAll(async () => {
  if (collector.exitCode === null) {
    const ended = once(collector, 'exit')
    collector.kill('SIGINT')
    await ended
  }
  await rm(folder, { recursive: true, force: true })
})

function flamegate(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [join(cli, 'main.ts'), ...args], {
    cwd: folder,
    env: {
      ...programEnv,
      HOME: folder,
      FLAMEGATE_URL: platform().url,
      FLAMEGATE_TOKEN: uploads,
      FLAMEGATE_PROJECT: projectId,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function statusOf(task_id: string): Promise<string> {
  return (await owner.client.call(operations.getTaskResult, { task_id })).task.status
}

async function registered(): Promise<string> {
  await expect.poll(() => said).toContain('may measure: sample')
  const { answer, text } = await callTool(
    operations.registerMcpTarget,
    { project_id: projectId, name: 'sample', operations: ['echo', 'slow'] },
    asked,
  )
  expect(text).toContain('here')
  return String(Reflect.get(Object(answer?.['mcp_target']), 'id'))
}

test('load that an MCP client orders is made by a collector, and answers questions', async () => {
  const mcp_target_id = await registered()
  const order = async (input: Record<string, unknown>) => {
    const { answer, text } = await callAndConfirm(
      operations.loadTestMcpServer,
      { mcp_target_id, concurrent: [2], ...input },
      asked,
    )
    const taskId = answer?.['task_id']
    if (typeof taskId !== 'string') throw new Error(text)
    return taskId
  }
  const first = await order({ requests: 200, label: 'v1' })
  await expect.poll(() => statusOf(first)).toBe('SUCCESS')
  const second = await order({ seconds: 2, label: 'v2', with_profile: true })
  await expect.poll(() => statusOf(second)).toBe('SUCCESS')

  const metrics = await callTool(operations.getMcpMetrics, { mcp_target_id }, asked)
  expect(metrics.answer).toMatchObject({
    session: { label: 'v2', origin: 'ordered', collector: 'here', server_version: '1.2.3' },
    operations: [
      { name: 'echo', failed: 0 },
      { name: 'slow', failed: 0 },
    ],
  })
  const diagnosis = await callTool(operations.diagnoseMcpServer, { mcp_target_id }, asked)
  expect(diagnosis.answer).toMatchObject({ command: 'load-test', score: expect.any(Number) })
  const compared = await callTool(
    operations.compareMcpSessions,
    { mcp_target_id, base: 'v1', head: 'v2' },
    asked,
  )
  expect(compared.answer).toMatchObject({ base: { label: 'v1' }, head: { label: 'v2' } })

  // The inside of it is a profile like any other.
  const { mcp_sessions: sessions } = await owner.client.call(operations.listMcpSessions, {
    project_id: projectId,
  })
  const profileId = sessions.find(({ label }) => label === 'v2')?.profile_ids[0] ?? ''
  const { profile } = await owner.client.call(operations.getProfile, { profile_id: profileId })
  expect(profile).toMatchObject({ name: 'cpu of sample', type: 'cpu' })
  expect(JSON.stringify([sessions, said])).not.toContain('hidden')
})

test('what the file does not allow is refused, what is called off is stopped', async () => {
  const { mcp_targets: targets } = await owner.client.call(operations.listMcpTargets, {
    project_id: projectId,
  })
  const mcp_target_id = targets[0]?.id ?? ''
  const refused = await callAndConfirm(
    operations.profileMcpServer,
    { mcp_target_id, operations: ['remove'] },
    asked,
  )
  expect(refused.code).toBe('invalid_input')
  const { answer } = await callAndConfirm(operations.profileMcpServer, { mcp_target_id, seconds: 30 }, asked)
  const task_id = String(answer?.['task_id'])
  await expect.poll(() => statusOf(task_id)).toBe('RUNNING')
  await owner.client.call(operations.cancelTask, { task_id })
  await expect.poll(() => said).toContain('sample was called off')
})

test('a measurement of a person is uploaded, and is a session of the target', async () => {
  const measuring = flamegate([
    'mcp',
    'profile',
    '--mcp',
    'sample',
    '--operations',
    'echo',
    '--samples',
    '20',
    '--label',
    'mine',
    '--',
    process.execPath,
    sampleServer,
  ])
  let error = ''
  measuring.stderr?.on('data', (bytes: Buffer) => (error += bytes.toString()))
  await once(measuring, 'close')
  expect([measuring.exitCode, error]).toEqual([0, expect.stringContaining('Uploaded: ')])
  const { mcp_sessions: sessions } = await owner.client.call(operations.listMcpSessions, {
    project_id: projectId,
  })
  expect(sessions.find(({ label }) => label === 'mine')).toMatchObject({
    target: 'sample',
    origin: 'uploaded',
    command: 'profile',
  })
})
