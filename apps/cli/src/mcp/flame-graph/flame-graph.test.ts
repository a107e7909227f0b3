import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest } from '../../testing/run-for-test.ts'
import { serveApi } from '../../testing/serve-api.ts'

const busyServer = path.join(import.meta.dirname, '../testing/busy-server.ts')
const program = path.join(import.meta.dirname, '../../mcp-profiler.ts')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-profiler-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('flame-graph profiles a server, draws it, draws what changed, and serves it', async () => {
  const cwd = await newFolder()
  const run = (...args: string[]) =>
    runForTest(['mcp', 'flame-graph', ...args], { cwd, env: { PATH: process.env['PATH'] ?? '' } })
  const measure = (label: string, tool: string) =>
    run(
      '--label',
      label,
      '--output',
      `${label}.svg`,
      '--duration',
      '1s',
      '--operations',
      tool,
      '--',
      process.execPath,
      busyServer,
    )
  expect(await measure('v1', 'garbage')).toMatchObject({
    exitCode: 0,
    error: expect.stringContaining('Written to v1.svg'),
  })
  expect(await measure('v2', 'compute')).toMatchObject({ exitCode: 0 })
  const [before, after] = await Promise.all(
    ['v1.svg', 'v2.svg'].map((name) => readFile(path.join(cwd, name), 'utf8')),
  )
  expect(before).toMatch(/^<\?xml[^>]*>\s*<svg /)
  expect(before).not.toContain('compareDigits')
  expect(after).toContain('compareDigits')

  const sides = ['--baseline', 'v1', '--current', 'v2']
  expect(await run(...sides, '--diff', '--output', 'difference.svg')).toMatchObject({ exitCode: 0 })
  const difference = await readFile(path.join(cwd, 'difference.svg'), 'utf8')
  expect(difference).toContain('v1 → v2')
  expect(difference).toContain('as many calls on both sides')
  expect(difference).toContain('compareDigits')

  const served = spawn(process.execPath, [program, 'flame-graph', ...sides, '--interactive', '--port', '0'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void served.kill('SIGKILL'))
  const ended = once(served, 'exit')
  const [line]: unknown[] = await once(served.stdout, 'data')
  const url = String(line).trim()
  expect(await (await fetch(url)).text()).toContain('compareDigits')
  expect(await (await fetch(`${url}0.svg`)).text()).toBe(difference)
  expect((await fetch(`${url}7`)).status).toBe(404)
  // The page of somebody whose name leads to this machine.
  expect(await refused(url)).toMatch(/^403 Ask for localhost/)
  served.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})

test('what a flame graph was drawn of goes to the project that is named, with its profile', async () => {
  const api = await serveApi({ create_profile_upload: () => ({ upload: null, profile_id: 'prf_07' }) })
  const line = ['mcp', 'flame-graph', '--output', 'a.svg', '--duration', '1s', '--operations', 'compute']
  const env = { FLAMEGATE_PROJECT: 'prj_01', PATH: process.env['PATH'] ?? '' }
  const drawing = [...line, '--', process.execPath, busyServer]
  expect(await runForTest(drawing, { cwd: await newFolder(), url: api.url, env })).toMatchObject({
    exitCode: 0,
  })
  expect(api.calls).toMatchObject([
    { operation: 'create_profile_upload', input: { type: 'cpu' } },
    {
      operation: 'upload_mcp_report',
      input: { report: { command: 'flame-graph', profiles: [{ kind: 'cpu', profileId: 'prf_07' }] } },
    },
  ])
})

async function refused(url: string): Promise<string> {
  const asked = request(url, { headers: { host: 'elsewhere.example:80' } }).end()
  const response = await new Promise<IncomingMessage>((resolve) => {
    asked.once('response', resolve)
  })
  return `${response.statusCode} ${await text(response)}`
}

test.each([
  [['--profile', 'x.cpuprofile'], /--output flame\.svg, or --interactive/],
  [['--profile', 'x.cpuprofile', '--output', 'x.png'], /end its name with \.svg/],
  [['--profile', 'nothing', '--output', 'x.svg'], /nothing is no file, and no report/],
  [['--diff', '--baseline', 'x', '--output', 'x.svg'], /--baseline and --current/],
  [['--interactive', '--port', '70000'], /--port 70000/],
])('flame-graph %j is refused', async (args, message) => {
  const cwd = await newFolder()
  expect(await runForTest(['mcp', 'flame-graph', ...args], { cwd })).toMatchObject({
    exitCode: 2,
    error: expect.stringMatching(message),
  })
})
