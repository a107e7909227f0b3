import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { programEnv } from '../../testing/program-env.ts'
import { sampleCommand, startSampleServer } from '../testing/start-sample-server.ts'

const program = path.join(import.meta.dirname, '../../mcp-profiler.ts')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-production-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

function start(args: readonly string[], cwd: string): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [program, 'production', ...args], {
    cwd,
    env: programEnv,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function reportsIn(cwd: string): Promise<{ reports: McpReport[]; text: string }> {
  const folder = path.join(cwd, '.mcp-profiler')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  return { reports: texts.map((text) => mcpReport.parse(JSON.parse(text))), text: texts.join('') }
}

function callsOf({ operations }: McpReport): string[] {
  return operations.map(({ method, name, calls }) => `${method} ${name ?? '-'} ${calls}`)
}

/** Speaks JSON-RPC to a program: each call waits for its answer. */
function speakTo(child: ChildProcessWithoutNullStreams) {
  const waiting = new Map<number, (message: Record<string, unknown>) => void>()
  let rest = ''
  child.stdout.on('data', (bytes) => {
    const lines = (rest + String(bytes)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const message: { id: number } & Record<string, unknown> = JSON.parse(line)
      waiting.get(message.id)?.(message)
    }
  })
  let id = 0
  const send = (message: Record<string, unknown>) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return {
    notify: (method: string, params = {}) => send({ method, params }),
    ask: (method: string, params = {}) =>
      new Promise<Record<string, unknown>>((resolve) => {
        waiting.set(++id, resolve)
        send({ id, method, params })
      }),
  }
}

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'a client', version: '1' },
}

test('in place of a server it passes everything on, times calls by their ids, keeps nothing of what was said, and ends as the server does', async () => {
  const cwd = await newFolder()
  const child = start(['--sampling-rate', '100%', '--label', 'v7', '--', ...sampleCommand], cwd)
  const { ask, notify } = speakTo(child)
  await ask('initialize', hello)
  notify('notifications/initialized')
  for (let each = 0; each < 5; each++) {
    const answer = await ask('tools/call', { name: 'echo', arguments: { text: 'a-secret-word' } })
    expect(answer['result']).toMatchObject({ content: [{ text: 'a-secret-word' }] })
  }
  await ask('tools/call', { name: 'fails', arguments: {} })
  await ask('tools/call', { name: 'slow', arguments: {} })
  const closed = once(child, 'close')
  void ask('tools/call', { name: 'quit', arguments: {} })
  expect(await closed).toEqual([3, null])

  const { reports, text } = await reportsIn(cwd)
  expect(reports).toHaveLength(1)
  const [report] = reports
  if (report === undefined) throw new TypeError('There is a report')
  expect(callsOf(report)).toEqual([
    'initialize - 1',
    'tools/call echo 5',
    'tools/call fails 1',
    'tools/call slow 1',
  ])
  expect(report).toMatchObject({
    command: 'production',
    load: null,
    target: { label: 'v7', server: { name: 'sample', version: '1.2.3', protocolVersion: '2025-06-18' } },
  })
  expect(report.operations[2]?.failures).toEqual([
    { kind: 'is_error', code: null, count: 1, message: 'Not kept.' },
  ])
  expect(report.operations[3]?.blockMeansMs.find((mean) => mean !== null)).toBeGreaterThan(19)
  expect(text).not.toContain('a-secret-word')
  expect(report.notes.join()).toContain('Of 10 messages of clients, 8 calls were timed')
})

test('bytes that are no messages pass as they are, no faster than they are taken; signals reach the server; switched off it only passes on', async () => {
  const cwd = await newFolder()
  await writeFile(
    path.join(cwd, 'mcp-profiler.config.json'),
    JSON.stringify({ profiler: { enabled: false } }),
  )
  // Says back what it hears, without ends of lines. What it makes of one signal shows as another.
  await writeFile(
    path.join(cwd, 'echo.mjs'),
    `process.on('SIGTERM', () => process.kill(process.pid, 'SIGKILL'))
     process.stdin.pipe(process.stdout, { end: false })
     setInterval(() => {}, 1000)`,
  )
  const child = start(['--', process.execPath, 'echo.mjs'], cwd)
  const block = Buffer.from(Array.from({ length: 65_537 }, (_, index) => (index * 131) % 251))
  const sent = createHash('sha256')
  const received = createHash('sha256')
  const count = 400
  let taken = 0
  let bytes = 0
  const writing = (async () => {
    for (; taken < count; taken++) {
      sent.update(block)
      if (!child.stdin.write(block)) await once(child.stdin, 'drain')
    }
  })()
  // Nobody reads: the rest waits where it comes from, and not within the wrapper.
  await expect.poll(() => taken).toBeGreaterThan(0)
  await pause(1000)
  expect(taken).toBeLessThan(count / 4)
  child.stdout.on('data', (chunk: Buffer) => {
    received.update(chunk)
    bytes += chunk.length
  })
  await writing
  await expect.poll(() => bytes).toBe(count * block.length)
  expect(received.digest('hex')).toBe(sent.digest('hex'))
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  expect(await closed).toEqual([null, 'SIGKILL'])
  expect((await reportsIn(cwd)).reports).toEqual([])
})

test('before a server at a URL it is a proxy for programs of this machine, for several clients and streams too', async () => {
  const cwd = await newFolder()
  const server = await startSampleServer()
  const child = start(['--mcp', server.url, '--sampling-rate', '1', '--interval', '1h'], cwd)
  const [line]: unknown[] = await once(child.stdout, 'data')
  const url = new URL(String(line).trim())
  expect([url.hostname, url.pathname]).toEqual(['127.0.0.1', '/mcp'])
  const clients = await Promise.all(
    [1, 2].map(async (number) => {
      const client = new Client({ name: `client ${number}`, version: '1' })
      await client.connect(new StreamableHTTPClientTransport(url))
      return client
    }),
  )
  await Promise.all(
    clients.map(async (client) => {
      for (const name of ['slow', 'echo', 'echo'])
        await client.callTool({ name, arguments: name === 'echo' ? { text: 'x' } : {} })
      await client.close()
    }),
  )
  const statusWith = (headers: Record<string, string>, target = url.pathname) =>
    new Promise((resolve) =>
      request(url, { method: 'POST', headers, path: target }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end('{}'),
    )
  expect(await statusWith({ host: 'rebound.example.com' })).toBe(403)
  expect(await statusWith({ origin: 'https://page.example.com' })).toBe(403)
  expect(await statusWith({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await statusWith({ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:6274' })).not.toBe(403)
  // Where nobody listens: whoever asked there would answer 502.
  for (const target of ['//127.0.0.1:9/mcp', '/\\127.0.0.1:9/mcp', 'http://127.0.0.1:9/mcp', '//'])
    expect(await statusWith({}, target)).toBe(400)
  const closed = once(child, 'close')
  child.kill('SIGINT')
  expect(await closed).toEqual([0, null])
  const [report] = (await reportsIn(cwd)).reports
  if (report === undefined) throw new TypeError('There is a report')
  expect(callsOf(report)).toEqual(
    expect.arrayContaining(['initialize - 2', 'tools/call slow 2', 'tools/call echo 4']),
  )
  expect(report.target).toMatchObject({ transport: 'streamable_http', server: { name: 'sample' } })
  const slow = report.operations.find(({ name }) => name === 'slow')
  expect(slow?.blockMeansMs.find((mean) => mean !== null)).toBeGreaterThan(19)
  expect(slow?.failures).toEqual([])
})
