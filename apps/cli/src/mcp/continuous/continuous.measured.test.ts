import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { mcpReport } from '@flamegate/mcp-profiling'
import { expect, onTestFinished, test } from 'vitest'
import { programEnv } from '../../testing/program-env.ts'
import { runForTest } from '../../testing/run-for-test.ts'
import { sampleCommand } from '../testing/start-sample-server.ts'

const program = path.join(import.meta.dirname, '../../mcp-profiler.ts')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-continuous-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Starts `mcp-profiler …`, and keeps what it says. */
function start(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): { child: ChildProcess; said: () => string; printed: () => string } {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...programEnv, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let [out, error] = ['', '']
  child.stdout.on('data', (bytes) => (out += String(bytes)))
  child.stderr.on('data', (bytes) => (error += String(bytes)))
  return { child, said: () => error, printed: () => out }
}

test('continuous keeps samples and lets old ones go, tells alerts, tries a server again that went away, and ends by Ctrl-C', async () => {
  const cwd = await newFolder()
  const heard: { body: unknown; signature: unknown }[] = []
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    heard.push({ body: await json(request), signature: request.headers['webhook-signature'] })
    response.end()
  }
  const hook = createServer((request, response) => void hear(request, response)).listen(0, '127.0.0.1')
  onTestFinished(() => void hook.close())
  await once(hook, 'listening')
  const address = hook.address()
  const port = typeof address === 'object' ? address?.port : 0
  await writeFile(
    path.join(cwd, 'mcp-profiler.config.json'),
    JSON.stringify({ alerts: { responseTimeThreshold: 5, memoryThreshold: 100, cpuThreshold: 100 } }),
  )
  const args = ['continuous', '--interval', '2s', '--retention', '1h', '--duration', '1s', '--rps', '10']
  const watch = start(
    [
      ...args,
      '--operations',
      'slow',
      '--json',
      '--webhook',
      `http://127.0.0.1:${port}/`,
      '--',
      ...sampleCommand,
    ],
    cwd,
    { MCP_PERFORMANCE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  )
  const reports = () =>
    watch
      .printed()
      .split('\n')
      .filter(Boolean)
      .map((line) => mcpReport.parse(JSON.parse(line)))
  await expect.poll(() => reports().length).toBeGreaterThan(0)
  const [first] = reports()
  expect(first).toMatchObject({
    command: 'continuous',
    load: { model: 'open', started: 10, errorRate: 0 },
  })
  await expect
    .poll(() => heard)
    .toMatchObject([
      {
        body: { type: 'slow_response', state: 'open', threshold: 5 },
        signature: expect.stringMatching(/^v1,/),
      },
    ])
  expect(watch.said()).toContain('Alert slow_response open: a 95th percentile of')

  // One from the day before, and one that somebody else made.
  const folder = path.join(cwd, '.mcp-profiler')
  await mkdir(folder, { recursive: true })
  const old = { ...first, startedAt: '2026-01-01T00:00:00.000Z' }
  await writeFile(path.join(folder, '20260101T000000Z-continuous-old.json'), JSON.stringify(old))
  await writeFile(
    path.join(folder, '20260101T000000Z-profile-old.json'),
    JSON.stringify({ ...old, command: 'profile' }),
  )
  await expect.poll(() => readdir(folder)).not.toContain('20260101T000000Z-continuous-old.json')
  expect(await readdir(folder)).toContain('20260101T000000Z-profile-old.json')

  const pids = async (): Promise<number[]> =>
    (await readFile(`/proc/${watch.child.pid}/task/${watch.child.pid}/children`, 'utf8'))
      .split(' ')
      .filter(Boolean)
      .map(Number)
  const before = reports().length
  for (const pid of await pids()) process.kill(pid, 'SIGKILL')
  await expect.poll(watch.said).toMatch(/went away: .* It is tried again in 2 s\./)
  await expect.poll(watch.said).toContain('The server is there again.')
  await expect.poll(() => reports().length).toBeGreaterThan(before)

  const closed = once(watch.child, 'close')
  watch.child.kill('SIGINT')
  expect(await closed).toEqual([0, null])
})

test('continuous tries settings when a server becomes slow, where the file says so', async () => {
  const cwd = await newFolder()
  await writeFile(
    path.join(cwd, 'mcp-profiler.config.json'),
    JSON.stringify({ profiler: { autoOptimization: true }, alerts: { responseTimeThreshold: 5 } }),
  )
  const args = ['--interval', '2s', '--duration', '1s', '--operations', 'slow', '--warm-up', '0']
  const watch = start(['continuous', ...args, '--', ...sampleCommand], cwd)
  await expect.poll(watch.said).toContain('Settings are tried that may make it faster')
  const below = `/proc/${watch.child.pid}/task/${watch.child.pid}/children`
  const commands = async () => {
    const pids = (await readFile(below, 'utf8')).split(' ').filter(Boolean)
    const lines = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    )
    return lines.map((line) => line.replaceAll('\0', ' '))
  }
  await expect
    .poll(commands)
    .toContainEqual(
      expect.stringMatching(
        /auto-tune --safe-mode --target-latency 5ms --operations slow --warm-up 0 -- .*sample-server\.ts/,
      ),
    )
  const closed = once(watch.child, 'close')
  watch.child.kill('SIGINT')
  expect(await closed).toEqual([0, null])
})

test('continuous refuses a server that never was there, and what makes no sense', async () => {
  const cwd = await newFolder()
  const ends = async (...args: string[]) => {
    const env = { PATH: process.env['PATH'] ?? '' }
    const { exitCode, error } = await runForTest(['mcp', 'continuous', ...args], { cwd, env })
    return { code: exitCode, error }
  }
  expect(await ends('--', 'no-such-program')).toMatchObject({ code: 2 })
  expect(await ends('--interval', '5s', '--duration', '1m', '--', 'x')).toEqual({
    code: 2,
    error: '--duration is part of --interval, and cannot be longer.\n',
  })
  expect(await ends('--webhook', 'nowhere', '--', 'x')).toMatchObject({
    code: 2,
    error: expect.stringContaining('--webhook nowhere is no URL'),
  })
})
