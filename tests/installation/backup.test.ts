import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@flamegate/client'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startCollector } from '../../packages/runtime/src/tracing/test-collector.ts'
import { startOwnPlatform, type OwnPlatform } from './own-platform.ts'
import { logIn, signUpAs } from '../system/person.ts'
import { plantSecrets, readFolder, secretsIn, type PlantedSecrets } from './planted-secrets.ts'
import { programEnv } from '../system/program-env.ts'
import { waitForTask } from '../system/world.ts'

/**
 * An installation is backed up while it runs, wiped, and restored into an empty folder: what was there is there again, and people
 * and programs go on with what they had. What was secret in it can be read neither in the backup nor in what it told of itself.
 */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const results = `pkg: example.com/router\n${'BenchmarkRoute-2 \t 100000\t 1000 ns/op\n'.repeat(6)}PASS\n`

let folder: string
let backup: string
let dataDir: string
let token: string
let runId: string
let profileId: string
let platforms: OwnPlatform[] = []
let secrets: PlantedSecrets
/** What tells of what happened, by what it is. */
let told: Record<string, string>
/** A call that is made again with its key gets the same answer. */
let madeOnce: { cookie: string; workspaceId: string; secret: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-backup-'))
  backup = join(folder, 'backup')
  dataDir = join(folder, 'restored')
  const collector = await startCollector()
  const first = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, FLAMEGATE_LOG_LEVEL: 'trace' })
  const ada = await signUpAs(first.url, 'Ada', 'ada@example.com')
  const { project } = await ada.client.call(operations.createProject, {
    workspace_id: ada.workspaceId,
    name: 'Router',
  })
  const { secret } = await ada.client.call(operations.createApiToken, {
    workspace_id: ada.workspaceId,
    name: 'ci',
    scopes: ['read', 'write'],
  })
  token = secret
  const { run } = await ada.client.call(operations.submitBenchmarkResults, {
    repository: project.id,
    branch: 'main',
    commit_hash: 'abcdef1234',
    results,
  })
  runId = run.id
  const profile = await ada.client.call(operations.createProfileUpload, {
    project_id: project.id,
    file_name: 'stacks.txt',
    type: 'cpu',
    run_id: runId,
    content: 'main;route;match 30\nmain;log 5\n',
  })
  profileId = profile.profile_id
  await waitForTask(ada, profile.task_id)
  madeOnce = { cookie: ada.cookie, workspaceId: ada.workspaceId, secret: '' }
  madeOnce.secret = await makeTokenOnce(first.url)
  const planted = await plantSecrets(first.url)
  secrets = planted.secrets
  const written = await first.run('admin.ts', ['backup', backup])
  if (written.exitCode !== 0) throw new Error(written.output)
  await first.stop()
  collector.close()
  platforms = []
  told = { log: first.output(), traces: JSON.stringify(collector.spans()), 'audit log': planted.audit }
})
afterAll(async () => {
  for (const each of platforms) await each.stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string>, ofAnother?: string): Promise<OwnPlatform> {
  const own = await startOwnPlatform(env, ofAnother)
  platforms.push(own)
  return own
}

async function makeTokenOnce(url: string): Promise<string> {
  const { cookie, workspaceId } = madeOnce
  const client = createClient({ baseUrl: url, headers: { cookie, origin: url } })
  const input = { workspace_id: workspaceId, name: 'once', scopes: ['read' as const] }
  return (await client.call(operations.createApiToken, input, { idempotencyKey: 'backup' })).secret
}

async function runAdmin(...args: string[]): Promise<{ exitCode: number | null; output: string }> {
  const child = spawn(process.execPath, [cli, 'admin', ...args], {
    env: { ...programEnv, FLAMEGATE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return { exitCode: child.exitCode, output }
}

const manifestOf = async (dir: string) =>
  z
    .looseObject({
      tables: z.array(z.looseObject({ name: z.string(), rows: z.number() })),
      objects: z.unknown(),
    })
    .parse(JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')))

test('restored into an empty folder, every table and every file has the same sum', async () => {
  expect(await runAdmin('verify', backup)).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^Whole: \d+ rows/),
  })
  expect(await runAdmin('restore', backup)).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/Restored as of .+ \d+ files/s),
  })
  const again = join(folder, 'again')
  expect((await runAdmin('backup', again)).exitCode).toBe(0)
  const [before, after] = [await manifestOf(backup), await manifestOf(again)]
  expect(after.tables).toEqual(before.tables)
  expect(after.objects).toEqual(before.objects)
  expect(before.tables.find(({ name }) => name === 'benchmark_results')?.rows).toBe(1)
})

test('no secret can be read in rows, files, logs, traces or the audit log, and the keys that open them are wrapped', async () => {
  const { 'master-keys': masterKeys = '', ...files } = Object.fromEntries(await readFolder(backup))
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['database/webhooks.copy.gz', 'manifest.json']))
  const found = Object.entries({ ...files, ...told }).flatMap(([place, text]) =>
    secretsIn(secrets, text).map((what) => `${what} in ${place}`),
  )
  expect(found).toEqual([])
  expect(secrets.size).toBeGreaterThanOrEqual(30)
  // That there was something to be found, and would have been.
  expect(secretsIn(new Map([['a name', 'Canary']]), files['database/projects.copy.gz'] ?? '')).toEqual([
    'a name',
  ])
  expect(told['log']).toContain('POST')
  expect(told['traces']).toContain('/v1/')
  expect(told['audit log']).toContain('get_task_result')
  expect(files['database/audit_events.copy.gz']).toContain('create_api_token')

  expect(files['database/oauth_keys.copy.gz']).not.toMatch(/"(d|key)":/)
  expect(masterKeys).toMatch(/^\S{44}\n$/)
  for (const [place, text] of Object.entries({ ...files, ...told }))
    expect([place, text.includes(masterKeys.trim())]).toEqual([place, false])
})

test('a second restore is refused until it is said that what is there is to be lost', async () => {
  // Nothing is touched, so no file is stored either.
  expect(await runAdmin('restore', backup)).toEqual({
    exitCode: 2,
    output: expect.toSatisfy((text: string) => text.includes('--replace') && !text.includes('stored')),
  })
  expect((await runAdmin('restore', backup, '--replace')).exitCode).toBe(0)
})

test('people log in, tokens are good, runs and files are there, and new ones come', async () => {
  const restored = await start({}, dataDir)
  const { url } = restored
  const client: Client = createClient({ baseUrl: url, token })
  const { run: found } = await client.call(operations.getRun, { run_id: runId })
  expect(found).toMatchObject({ status: 'COMPLETED', branch: 'main' })
  const { files } = await client.call(operations.listFiles, { owner: profileId })
  const { lines } = await client.call(operations.readFileLines, { file_id: files[0]?.id ?? '' })
  expect(lines.map(({ text }) => text)).toEqual(['main;route;match 30', 'main;log 5'])
  const ada = await logIn('ada@example.com', 'correct horse Ada', url)
  const { run: next } = await ada.client.call(operations.submitBenchmarkResults, {
    repository: found.project_id,
    branch: 'main',
    commit_hash: 'abcdef1235',
    results,
  })
  expect(next.status).toBe('COMPLETED')
  expect(await makeTokenOnce(url)).toBe(madeOnce.secret)
  const changed = await restored.run('admin.ts', ['rotate-keys'])
  expect(changed).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/new master key .*secrets are sealed/s),
  })
  expect(await makeTokenOnce(url)).toBe(madeOnce.secret)
  // It is running: nothing may be restored over it.
  expect(await runAdmin('restore', backup, '--replace')).toEqual({
    exitCode: 2,
    output: expect.stringContaining('already runs'),
  })
})

test('a backup with another byte in it is refused, and nothing is touched', async () => {
  const { key } = z
    .object({ key: z.string() })
    .parse(JSON.parse((await readFile(join(backup, 'objects.jsonl'), 'utf8')).split('\n')[0] ?? ''))
  await appendFile(join(backup, 'objects', key), 'x')
  expect(await runAdmin('verify', backup)).toEqual({
    exitCode: 1,
    output: expect.stringContaining(`File ${key}: `),
  })
  dataDir = join(folder, 'untouched')
  expect(await runAdmin('restore', backup)).toEqual({
    exitCode: 2,
    output: expect.stringContaining('not whole'),
  })
})
