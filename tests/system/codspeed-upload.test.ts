import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { operations } from '@flamegate/contract'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { announce, putArchive, uploadAsRunner, uploadData, type RunnerSettings } from './codspeed-runner.ts'
import { givePlan } from './give-plan.ts'
import { platform, signUp, type Person } from './person.ts'
import { archiveOf } from './runner-archive.ts'

const samples = join(import.meta.dirname, '../../packages/benchmarks/samples/codspeed')

let owner: Person
let projectId: string
let settings: RunnerSettings

beforeAll(async () => {
  owner = await signUp('Runner')
  const repository = `checkout-${Date.now()}`
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Measured elsewhere',
    repository: `acme/${repository}`,
  })
  projectId = project.id
  settings = {
    uploadUrl: `${platform().url}/upload`,
    token: await tokenOf(owner),
    owner: 'acme',
    repository,
    ciRunId: '1',
  }
})

async function tokenOf(person: Person): Promise<string> {
  const { secret } = await person.client.call(operations.createApiToken, {
    workspace_id: person.workspaceId,
    name: 'CI',
    scopes: ['upload'],
  })
  return secret
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-profile-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** The folder of a simulation, which is always compressed. */
async function simulation(): Promise<Buffer> {
  const folder = await newFolder()
  await cp(join(samples, '200.out'), join(folder, '200.out'))
  await writeFile(join(folder, 'valgrind.200.log'), '')
  return gzipSync(await archiveOf(folder))
}

async function emptyArchive(): Promise<Buffer> {
  const folder = await newFolder()
  await mkdir(join(folder, 'results'))
  return archiveOf(folder)
}

const statusOf = async (runId: string) => {
  const { run } = await owner.client.call(operations.getRun, { run_id: runId })
  return { status: run.status, result_count: run.result_count }
}

test('what three instruments measured in the jobs of one CI run is one run, with all of it', async () => {
  const walltime = await archiveOf(join(samples, 'walltime'))
  const memory = await archiveOf(join(samples, 'memory'))
  const answers = await Promise.all([
    uploadAsRunner({ ...settings, executor: 'walltime' }, walltime),
    uploadAsRunner({ ...settings, executor: 'memory' }, memory),
    uploadAsRunner({ ...settings, executor: 'valgrind' }, await simulation()),
  ])
  const [runId = ''] = new Set(answers.map((answer) => answer.runId))
  expect(answers.map((answer) => answer.runId)).toEqual([runId, runId, runId])
  expect(answers[0].url).toBe(`${platform().url}/runs/${runId}`)

  const instruments = async () => {
    const { results } = await owner.client.call(operations.getRun, { run_id: runId })
    return [...new Set(results.map(({ instrument }) => instrument))].toSorted()
  }
  await expect.poll(instruments).toEqual(['memory', 'simulation', 'walltime'])
  const { run, results } = await owner.client.call(operations.getRun, { run_id: runId })
  expect(run).toMatchObject({
    project_id: projectId,
    branch: 'main',
    commit_hash: '5bd77cb0da72bef094893ed45fb793ff16ecfbe3',
    event: 'push',
    status: 'COMPLETED',
    adapter: 'codspeed',
    environment: { cpu: 'AMD EPYC 7763', arch: 'x86_64', runtime: 'node 24.1.0' },
  })
  expect(results).toContainEqual(
    expect.objectContaining({
      uri: 'bench/words.bench.ts::words::join',
      instrument: 'walltime',
      value: 210.25,
    }),
  )
})

test('another run of the CI is another run, also of the same commit', async () => {
  const archive = await archiveOf(join(samples, 'memory'))
  const first = await uploadAsRunner({ ...settings, ciRunId: '2' }, archive)
  const second = await uploadAsRunner({ ...settings, ciRunId: '3' }, archive)
  expect(second.runId).not.toBe(first.runId)
})

test('an archive without a benchmark is a failed run, unless it may be empty', async () => {
  const archive = await emptyArchive()
  const refused = await uploadAsRunner({ ...settings, ciRunId: 'empty' }, archive)
  const allowed = await uploadAsRunner({ ...settings, ciRunId: 'may be', allowEmpty: true }, archive)
  const bare = await uploadAsRunner(
    { ...settings, ciRunId: 'bare', allowEmpty: true },
    gzipSync(Buffer.alloc(1024)),
  )
  await expect.poll(() => statusOf(refused.runId)).toEqual({ status: 'FAILURE', result_count: 0 })
  const none = { status: 'COMPLETED', result_count: 0 }
  await expect.poll(() => statusOf(allowed.runId)).toEqual(none)
  await expect.poll(() => statusOf(bare.runId)).toEqual(none)
})

test('a token uploads to projects of its workspace and no others', async () => {
  const stranger = await signUp('Stranger')
  const archive = await archiveOf(join(samples, 'memory'))
  const refused = await announce({ ...settings, token: await tokenOf(stranger) }, archive)
  expect(refused.status).toBe(404)
  expect(await refused.json()).toEqual({ error: expect.stringContaining(`acme/${settings.repository}`) })
  const unknown = await announce({ ...settings, token: `fg_${'x'.repeat(40)}` }, archive)
  expect(unknown.status).toBe(401)
  expect(await unknown.json()).toEqual({ error: expect.stringContaining('unknown') })
  const none = await announce({ ...settings, token: undefined }, archive)
  expect(none.status).toBe(401)
  expect(await none.json()).toEqual({ error: expect.stringContaining('CODSPEED_TOKEN') })
})

test('what the plan has no room for is refused when it comes, and its size is known', async () => {
  const archive = await archiveOf(join(samples, 'memory'))
  const small = await signUp('Small')
  await givePlan(small, { storage_bytes: 2 * archive.length - 1 })
  const repository = `${settings.repository}-small`
  await small.client.call(operations.createProject, {
    workspace_id: small.workspaceId,
    name: 'Small',
    repository: `acme/${repository}`,
  })
  const theirs = { ...settings, repository, token: await tokenOf(small) }
  const { runId } = await uploadAsRunner(theirs, archive)
  const runOf = () => small.client.call(operations.getRun, { run_id: runId })
  await expect.poll(async () => (await runOf()).run.status).toBe('COMPLETED')

  const announced = await announce({ ...theirs, ciRunId: 'too much' }, archive)
  const refused = await putArchive(uploadData.parse(await announced.json()).uploadUrl, archive)
  expect([refused.status, await refused.text()]).toEqual([
    402,
    expect.stringContaining('there is no room for'),
  ])
})

test('an upload URL names the project where the repository is no project', async () => {
  const archive = await archiveOf(join(samples, 'memory'))
  const answer = await uploadAsRunner(
    {
      ...settings,
      uploadUrl: `${settings.uploadUrl}?project=${projectId}`,
      repository: 'local',
      ciRunId: 'local',
    },
    archive,
  )
  const { run } = await owner.client.call(operations.getRun, { run_id: answer.runId })
  expect(run.project_id).toBe(projectId)
})

test('an archive other than announced is refused, and the right one may be sent again', async () => {
  const archive = await archiveOf(join(samples, 'memory'))
  const announced = await announce({ ...settings, ciRunId: 'damaged' }, archive)
  const { uploadUrl, runId } = uploadData.parse(await announced.json())
  const other = await putArchive(uploadUrl, await simulation())
  expect([other.status, await other.text()]).toEqual([400, expect.stringContaining('with the MD5')])
  expect((await putArchive(uploadUrl, archive)).status).toBe(200)
  expect((await putArchive(uploadUrl, archive)).status).toBe(200)
  await expect.poll(() => statusOf(runId)).toMatchObject({ status: 'COMPLETED', result_count: 2 })
})
