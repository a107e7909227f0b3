import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Starting, stopping, starting again, and the ways in which that goes wrong. Each line of output is a promise. */

const main = join(import.meta.dirname, '../../apps/platform/src/main.ts')
let dataDir: string
let port: number
const started: ChildProcess[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'flamegate lifecycle '))
  const probe = await listen(0)
  port = portOf(probe)
  probe.close()
})

afterAll(async () => {
  for (const child of started) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
  await rm(dataDir, { recursive: true, force: true })
})

interface Running {
  child: ChildProcess
  output: () => string
  /** Exit code, or the signal. */
  ended: Promise<number | string>
}

function start(overrides: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, FLAMEGATE_PORT: String(port), FLAMEGATE_DATA_DIR: dataDir, ...overrides },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  return { child, output: () => text, ended }
}

async function untilReady(running: Running): Promise<void> {
  await expect
    .poll(() => running.output(), { timeout: 100_000, interval: 100 })
    .toMatch(/^Flamegate is ready at http/m)
}

test('it starts on an empty folder, with a space in its name, and says where it is', async () => {
  const first = start()
  await untilReady(first)
  expect(first.output()).toContain(`Flamegate is ready at http://127.0.0.1:${port}\n`)
  const file = join(dataDir, 'ready.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const ready = JSON.parse(await readFile(file, 'utf8'))
  expect(ready).toMatchObject({
    url: `http://127.0.0.1:${port}`,
    mcpUrl: `http://127.0.0.1:${port}/mcp`,
    apiUrl: `http://127.0.0.1:${port}/v1`,
    pid: first.child.pid,
  })
  expect(Object.keys(ready.demo)).toEqual(['email', 'password'])
  for (const path of ['/healthz', '/readyz']) {
    expect((await fetch(ready.url + path)).status).toBe(200)
  }
})

test('a second one on the same folder is told which process has it', async () => {
  const ready = JSON.parse(await readFile(join(dataDir, 'ready.json'), 'utf8'))
  const second = start({ FLAMEGATE_PORT: '0' })
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`process ${ready.pid}`)
  expect(existsSync(join(dataDir, 'ready.json'))).toBe(true)
})

test('a taken port is told, with how to choose another', async () => {
  const otherDir = await mkdtemp(join(tmpdir(), 'flamegate-port-'))
  const second = start({ FLAMEGATE_DATA_DIR: otherDir })
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`FLAMEGATE_PORT is ${port}. Another program listens there`)
  expect(second.output()).toContain('Set it to a port that is free')
  await rm(otherDir, { recursive: true, force: true })
})

test('wrong settings are told all at once', async () => {
  const broken = start({
    FLAMEGATE_PORT: 'high',
    FLAMEGATE_LOG_LEVEL: 'loud',
    FLAMEGATE_PUBLIC_URL: 'somewhere',
  })
  expect(await broken.ended).toBe(1)
  for (const name of ['FLAMEGATE_PORT', 'FLAMEGATE_LOG_LEVEL', 'FLAMEGATE_PUBLIC_URL']) {
    expect(broken.output()).toContain(name)
  }
  expect(broken.output()).not.toMatch(/\n\s+at /)
})

test('Ctrl-C stops everything, and the next start goes on with the same data', async () => {
  const [first] = started
  if (first === undefined) throw new Error('not started')
  const { demo } = JSON.parse(await readFile(join(dataDir, 'ready.json'), 'utf8'))
  const postgres = await postgresPid()
  first.kill('SIGINT')
  const [code] = await once(first, 'exit')
  expect(code).toBe(0)
  expect(existsSync(join(dataDir, 'ready.json'))).toBe(false)
  expect(isAlive(postgres)).toBe(false)

  const again = start()
  await untilReady(again)
  const ready = JSON.parse(await readFile(join(dataDir, 'ready.json'), 'utf8'))
  expect(ready.demo).toEqual(demo)
  const logIn = await fetch(`${ready.url}/auth/log-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ready.url },
    body: JSON.stringify(demo),
  })
  expect(logIn.status).toBe(200)
})

test('after a crash the next start takes over', async () => {
  const running = started.at(-1)
  if (running === undefined) throw new Error('not started')
  running.kill('SIGKILL')
  await once(running, 'exit')
  const again = start()
  await untilReady(again)
  again.child.kill('SIGTERM')
  expect(await again.ended).toBe(0)
})

async function postgresPid(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function listen(wanted: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', () => resolve(server))
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
