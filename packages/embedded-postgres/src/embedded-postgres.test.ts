import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PostgresStartError, startEmbeddedPostgres } from './embedded-postgres.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'

const password = 'with @ and / in it'
let home = ''
const running: EmbeddedPostgres[] = []

beforeAll(async () => {
  // Mode 0700 and with a space, as a home directory may be.
  home = await mkdtemp(join(tmpdir(), 'flamegate postgres '))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()))
})
afterAll(() => rm(home, { recursive: true, force: true }))

async function start(name: string, preferredPort?: number): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: join(home, name), password, preferredPort })
  running.push(server)
  return server
}

async function ask(server: EmbeddedPostgres, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: server.url('postgres') })
  await client.connect()
  try {
    const { rows } = await client.query<{ answer: unknown }>(sql)
    return rows[0]?.answer
  } finally {
    await client.end()
  }
}

test('the first start creates a cluster, the next one finds its data and its port again', async () => {
  const first = await start('kept')
  expect(first.isNew).toBe(true)
  await ask(first, 'create table kept as select 7 as seven')
  expect(await ask(first, `select current_setting('server_encoding') as answer`)).toBe('UTF8')
  await first.stop()

  const second = await start('kept', first.port)
  expect(second).toMatchObject({ isNew: false, port: first.port })
  expect(await ask(second, 'select seven as answer from kept')).toBe(7)
})

test('it listens on 127.0.0.1 alone and wants the password', async () => {
  const server = await start('kept')
  expect(await ask(server, `select current_setting('listen_addresses') as answer`)).toBe('127.0.0.1')
  expect(await ask(server, `select current_setting('unix_socket_directories') as answer`)).toBe('')
  const stranger = new Client({ connectionString: server.url('postgres').replace(/:[^:@]+@/, ':wrong@') })
  await expect(stranger.connect()).rejects.toThrow('password authentication failed')
})

test('a port that is taken is not insisted on', async () => {
  const blocker = createServer()
  const port = await new Promise<number>((resolve) => {
    blocker.listen(0, '127.0.0.1', () => {
      const address = blocker.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  const server = await start('kept', port)
  expect(server.port).not.toBe(port)
  blocker.close()
})

test('after a crash of the server the data is recovered', async () => {
  const server = await start('crashed')
  await ask(server, 'create table kept as select 8 as eight')
  process.kill(server.pid, 'SIGKILL')
  await server.ended
  const again = await start('crashed')
  expect(await ask(again, 'select eight as answer from kept')).toBe(8)
})

test('a server whose owner was killed is taken over', async () => {
  const dataDir = join(home, 'orphaned')
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('./embedded-postgres.ts'))}
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, password: 'x' })
    console.log(server.pid)
    setInterval(() => {}, 1000)
  `
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void owner.kill('SIGKILL'))
  const orphanPid = await new Promise<number>((resolve) => {
    owner.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())))
  })
  owner.kill('SIGKILL')
  await new Promise((resolve) => owner.once('exit', resolve))
  expect(process.kill(orphanPid, 0)).toBe(true)

  // PostgreSQL does not start twice on one directory, so the first one is gone when this works.
  const server = await startEmbeddedPostgres({ dataDir, password: 'x' })
  running.push(server)
  expect(await ask(server, 'select 1 as answer')).toBe(1)
  expect(server.pid).not.toBe(orphanPid)
})

test('a pid file whose number belongs to another program now is removed', async () => {
  const server = await start('stale')
  await server.stop()
  await writeFile(join(home, 'stale', 'postmaster.pid'), `${process.pid}\n${join(home, 'stale')}\n`)
  const again = await start('stale')
  expect(await ask(again, 'select 1 as answer')).toBe(1)
  expect(await readFile(join(home, 'stale', 'postmaster.pid'), 'utf8')).toContain(String(again.pid))
})

test('a directory with something else in it is left alone', async () => {
  await mkdir(join(home, 'photos'))
  await writeFile(join(home, 'photos', 'cat.jpg'), 'meow')
  await expect(start('photos')).rejects.toThrow(/not empty|ENOTEMPTY/)
  expect(await readFile(join(home, 'photos', 'cat.jpg'), 'utf8')).toBe('meow')
})

test('what PostgreSQL says is part of the error when it does not start', async () => {
  const server = await start('broken')
  await server.stop()
  await writeFile(join(home, 'broken', 'postgresql.conf'), 'no such setting = 1\n')
  const error: unknown = await start('broken').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(PostgresStartError)
  expect(String(error)).toContain('syntax error in file')
})
