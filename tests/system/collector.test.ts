import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { apiToken, platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'
import { programEnv } from './program-env.ts'

/** Profiles of real programs on this machine, taken by the command line and by a collector, through the platform. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const busyGo = join(import.meta.dirname, 'profiled/busy.go')
const busyNode = join(import.meta.dirname, 'profiled/busy.mjs')

const hasGo = spawnSync('go', ['version']).status === 0
if (!hasGo) {
  console.warn(
    '\n*** go was not found: profiles of a program in Go are not tested. Install it to test them. ***\n',
  )
}

let owner: Person
let projectId: string
let token: string
let folder: string
let inspector: string
let pprof = ''
const programs: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-collector-'))
  owner = await signUp('Collector')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Collected',
  })
  projectId = project.id
  token = await apiToken(owner, ['upload'])
  inspector = await startAndRead(
    [process.execPath, '--inspect=127.0.0.1:0', busyNode],
    'stderr',
    /ws:\/\/([\d.:]+)\//,
  )
  if (hasGo) {
    const built = join(folder, 'busy')
    const { status, stderr } = spawnSync('go', ['build', '-o', built, busyGo], {
      env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOCACHE: join(folder, 'go-cache') },
    })
    if (status !== 0) throw new Error(stderr.toString())
    pprof = await startAndRead([built], 'stdout', /([\d.:]+)\n/)
  }
})
afterAll(async () => {
  for (const program of programs) await stop(program)
  await rm(folder, { recursive: true, force: true })
})

/** Starts a program that runs until the end of the tests. @returns what it says of itself */
async function startAndRead(
  [program, ...args]: readonly [string, ...string[]],
  stream: 'stdout' | 'stderr',
  wanted: RegExp,
): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  programs.push(child)
  let said = ''
  child[stream].on('data', (chunk: Buffer) => (said += chunk.toString()))
  await until(() => wanted.test(said))
  return wanted.exec(said)?.[1] ?? ''
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!isSo() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

function flamegate(args: readonly string[]) {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: {
      ...programEnv,
      HOME: folder,
      FLAMEGATE_URL: platform().url,
      FLAMEGATE_TOKEN: token,
      FLAMEGATE_PROJECT: projectId,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const running = { child, out: '', error: '' }
  child.stdout.on('data', (chunk: Buffer) => (running.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (running.error += chunk.toString()))
  return running
}

/** Runs `flamegate profile` to its end. @returns the id of the one profile that it made */
async function profiled(args: readonly string[]): Promise<string> {
  const running = flamegate(['profile', '--json', ...args])
  const [exitCode] = await once(running.child, 'close')
  expect([exitCode, running.error]).toEqual([0, expect.not.stringContaining('Error')])
  return madeProfile(running.out)
}

/** The id in the last line of an output; what the command itself prints comes before it. */
function madeProfile(out: string): string {
  const answer: { profile_id: string } = JSON.parse(out.trim().split('\n').at(-1) ?? '')
  return answer.profile_id
}

/** The busiest function of a profile that the programs here have; else what it has instead. */
async function topFunction(profileId: string): Promise<string | undefined> {
  const { functions } = await owner.client.call(operations.analyzeProfile, { profile_id: profileId })
  const names = functions.map(({ function_name: name }) => name)
  return names.find((name) => /burn/.test(name)) ?? names.join(', ')
}

describe('flamegate profile', () => {
  test('profiles a command of Node.js', async () => {
    const profileId = await profiled(['--node', '--tag', 'before', '--', process.execPath, busyNode, '400'])
    const { profile } = await owner.client.call(operations.getProfile, { profile_id: profileId })
    expect(profile).toMatchObject({
      name: expect.stringMatching(/^cpu of .* busy\.mjs$/),
      type: 'cpu',
      format: 'cpuprofile',
      status: 'READY',
      tags: ['before'],
    })
    expect(await topFunction(profileId)).toBe('burn')
  })

  test('ends the command on Ctrl-C, and uploads what there is until then', async () => {
    const running = flamegate(['profile', '--json', '--node', '--', process.execPath, busyNode])
    programs.push(running.child)
    await until(() => running.out.includes('busy'))
    running.child.kill('SIGINT')
    const [exitCode] = await once(running.child, 'close')
    expect([exitCode, running.error]).toEqual([0, ''])
    expect(await topFunction(madeProfile(running.out))).toBe('burn')
  })

  test('profiles a Node.js that runs, by its inspector', async () => {
    expect(await topFunction(await profiled(['--inspect', inspector, '--seconds', '1']))).toBe('burn')
  })

  test.runIf(hasGo)('profiles a program in Go', async () => {
    expect(await topFunction(await profiled(['--pprof', `http://${pprof}`, '--seconds', '1']))).toBe(
      'main.burn',
    )
  })
})

const capture = (input: Record<string, unknown>) =>
  owner.client.call(operations.captureProfile, { project_id: projectId, ...input })

async function captured(input: Record<string, unknown>): Promise<string> {
  const { task_id: taskId } = await capture(input)
  return String((await waitForTask(owner, taskId ?? ''))['profile_id'])
}

describe('a collector', () => {
  let agent: ReturnType<typeof flamegate>

  beforeAll(async () => {
    const file = join(folder, 'collect.json')
    await writeFile(
      file,
      JSON.stringify({
        name: 'here',
        allow: {
          ...(hasGo ? { shop: { kind: 'pprof', url: `http://${pprof}`, seconds_max: 5 } } : {}),
          worker: { kind: 'inspect', url: inspector, types: ['cpu'], seconds_max: 60, tags: ['collected'] },
          gone: { kind: 'jfr', pid_file: join(folder, 'no.pid') },
        },
      }),
      { mode: 0o600 },
    )
    agent = flamegate(['agent', '--collect', file])
    programs.push(agent.child)
    await until(() => agent.out.includes('connected as here') || agent.child.exitCode !== null)
    if (agent.child.exitCode !== null) throw new Error(agent.error)
  })

  test('is listed with what it may run, and with nothing of where that leads', async () => {
    const answer = await owner.client.call(operations.listCollectors, { project_id: projectId })
    expect(answer.collectors).toMatchObject([{ name: 'here', is_connected: true, version: '0.1.0' }])
    expect(answer.collectors[0]?.captures).toContainEqual({
      name: 'worker',
      kind: 'inspect',
      types: ['cpu'],
      seconds_max: 60,
    })
    expect(JSON.stringify(answer.collectors)).not.toContain(inspector)
  })

  test('is on the page Uploads of its project', async () => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(`${platform().url}/log-in`)
      await fillLogIn(page, owner.email, owner.password)
      await page.waitForURL((url) => url.pathname !== '/log-in')
      await page.goto(`${platform().url}/projects/${projectId}/uploads`)
      const row = page.getByRole('table', { name: 'Collectors' }).getByRole('row').nth(1)
      await row.getByText('connected').waitFor()
      await expect.poll(() => row.textContent()).toContain('worker: cpu by inspect, 60 s at most')
      await row.scrollIntoViewIfNeeded()
      await keepScreenshot(page, 'collectors')
    } finally {
      await browser.close()
    }
  })

  test('takes what is asked for by name, and the task ends with the profile', async () => {
    const profileId = await captured({ capture: 'worker', seconds: 1 })
    expect(await topFunction(profileId)).toBe('burn')
    const { profile } = await owner.client.call(operations.getProfile, { profile_id: profileId })
    expect(profile).toMatchObject({ name: 'cpu of worker', tags: ['collected'], type: 'cpu' })
    await expect.poll(() => agent.out).toContain(`worker is profile ${profileId}`)
  })

  test.runIf(hasGo)('takes the only one that fits, of a program in Go', async () => {
    expect(await topFunction(await captured({ kind: 'pprof', seconds: 1 }))).toBe('main.burn')
    const heap = await captured({ kind: 'pprof', type: 'heap' })
    const { profile } = await owner.client.call(operations.getProfile, { profile_id: heap })
    expect(profile.type).toBe('heap')
  })

  test('is not asked for what it may not do', async () => {
    await expect(capture({ capture: 'worker', type: 'heap' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(capture({ capture: 'worker', seconds: 61 })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(capture({ capture: 'rm -rf' })).rejects.toMatchObject({ code: 'collector_not_found' })
    expect((await capture({ kind: 'perf' })).commands[0]?.command).toBe(
      `flamegate profile --perf <pid> --repository ${projectId}`,
    )
  })

  test('says why it could not take one', async () => {
    await expect(captured({ capture: 'gone' })).rejects.toThrow('no.pid has no number of a process in it')
  })

  test('stops a capture that is called off, and takes the next', async () => {
    const { task_id: taskId } = await capture({ capture: 'worker', seconds: 60 })
    const task = async () =>
      (await owner.client.call(operations.getTaskResult, { task_id: taskId ?? '' })).task
    await expect.poll(async () => (await task()).status).toBe('RUNNING')
    await owner.client.call(operations.cancelTask, { task_id: taskId ?? '' })
    await expect.poll(async () => (await task()).status).toBe('CANCELLED')
    expect(await topFunction(await captured({ capture: 'worker', seconds: 1 }))).toBe('burn')
  })

  test('ends on Ctrl-C', async () => {
    await stop(agent.child, 'SIGINT')
    expect(agent.child.exitCode).toBe(0)
    await expect.poll(() => agent.out).toContain('stopped')
  })
})
