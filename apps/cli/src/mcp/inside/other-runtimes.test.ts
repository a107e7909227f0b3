import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { answerOf, programBodies } from '@flamegate/live/hotpath/testing'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runForTest } from '../../testing/run-for-test.ts'
import { sampleCommand } from '../testing/start-sample-server.ts'

const samples = path.join(import.meta.dirname, '../testing')

/** Whether programs are installed; said aloud where one is not. */
function has(...commands: readonly [string, ...string[]][]): boolean {
  return commands.every(([program, ...words]) => {
    try {
      execFileSync(program, words, { stdio: 'ignore' })
      return true
    } catch {
      console.warn(`SKIPPED: ${program} is not installed, so that servers that need it are not looked into.`)
      return false
    }
  })
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-inside-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Looks into a server while a tool is called. */
async function report(
  command: readonly string[],
  tool: string,
  server: readonly string[],
): Promise<McpReport> {
  const { out, error } = await runForTest(
    ['mcp', ...command, '--duration', '2s', '--operations', tool, '--json', '--', ...server],
    { cwd: await newFolder(), env: { PATH: process.env['PATH'] ?? '' } },
  )
  if (out === '') throw new Error(error)
  return mcpReport.parse(JSON.parse(out))
}

const leaks = ['memory-leaks', '--rps', '50', '--threshold', '100KB'] as const

function hottest({ inside, notes }: McpReport): string {
  return inside?.hotFunctions.map(({ name, place }) => `${name} ${place}`).join('\n') ?? notes.join('\n')
}

function profileOf({ profiles: [first] }: McpReport): string {
  return `${first?.kind} ${path.basename(first?.path ?? '')}`
}

describe.skipIf(!has(['python3', '--version']))('Python', () => {
  const server = ['python3', path.join(samples, 'sample-server.py')]

  test('cProfile sees functions of the event loop and of threads', async () => {
    for (const tool of ['squares', 'squares_in_thread']) {
      const found = await report(['cpu'], tool, server)
      expect(found.inside?.runtime).toBe('python')
      expect(hottest(found)).toMatch(/^squares .*sample-server\.py:\d+$/m)
      // What waits is left out.
      expect(hottest(found)).not.toMatch(/of 'select\./)
      expect(profileOf(found)).toBe('cpu cpu.pstats')
    }
  })

  test('tracemalloc tells the line that keeps more and more', async () => {
    const { inside } = await report(leaks, 'keep', server)
    expect(inside?.heap.length).toBeGreaterThan(2)
    expect(inside?.growth[0]).toMatchObject({
      name: expect.stringContaining('kept.append('),
      place: expect.stringMatching(/sample-server\.py:\d+$/),
    })
  })
})

describe.skipIf(!has(['java', '-version'], ['jcmd', '-h'], ['javac', '-version']))('Java', () => {
  const server = ['java', '-Xmx200m', path.join(samples, 'SampleServer.java')]

  test('Flight Recorder sees functions', async () => {
    const found = await report(['cpu'], 'squares', server)
    expect(found.inside?.runtime).toBe('java')
    expect(hottest(found)).toMatch(/^SampleServer\.squares /)
    expect(profileOf(found)).toBe('cpu recording.jfr')
  })

  test('the JVM tells the classes of which there are more and more', async () => {
    const { inside } = await report(leaks, 'keep', server)
    expect(inside?.growth.map(({ name }) => name)).toContain('SampleServer$Kept')
  })
})

describe.skipIf(!has(['go', 'version']))('Go', () => {
  test('its pprof addresses tell functions, and who keeps more and more', async () => {
    const { program, port } = await builtInGo()
    const pprof = ['--pprof', `localhost:${port}`, '--env', `PPROF_PORT=${port}`]
    const found = await report(['cpu', ...pprof], 'squares', [program])
    // First what says why, where there is nothing.
    expect(hottest(found)).toMatch(/^main\.squares .*sample-server\.go:\d+$/m)
    expect(found.inside?.runtime).toBe('go')
    const { inside } = await report([...leaks, ...pprof], 'keep', [program])
    expect(inside?.growth[0]).toMatchObject({ name: 'main.keep' })
  })

  test.skipIf(!has(['perf', 'record', '-o', '/dev/null', 'true']))('perf samples machine code', async () => {
    const { program, port } = await builtInGo()
    const found = await report(['cpu', '--env', `PPROF_PORT=${port}`], 'squares', [program])
    expect(found.inside?.runtime).toBe('other')
    expect(hottest(found)).toMatch(/^main\.squares /m)
  })
})

test('functions that hotpath measures in a program in Rust are those of the load', async () => {
  const server = createHttpServer((asked, response) => {
    calls += 100
    const { status, body } = answerOf('4', programBodies('4', calls, 1), asked.url ?? '')
    response.writeHead(status).end(JSON.stringify(body))
  })
  let calls = 0
  const port = await listening(server)
  onTestFinished(() => void server.close())
  const found = await report(['cpu', '--hotpath', String(port)], 'echo', sampleCommand)
  expect(found.inside?.runtime).toBe('rust')
  expect(hottest(found)).toContain('shop::pay')
  expect(hottest(found)).not.toContain('shop::idle')
})

/** The server in Go, and a port at which it may serve its profiles. */
async function builtInGo(): Promise<{ program: string; port: number }> {
  const program = path.join(await newFolder(), 'sample-server')
  execFileSync('go', ['build', '-o', program, path.join(samples, 'sample-server.go')])
  return { program, port: await freePort() }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  return address.port
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
