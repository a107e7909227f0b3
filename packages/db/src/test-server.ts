import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@flamegate/embedded-postgres'
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
  /** Stops the server, and starts it again where it was. */
  restart(awayMs: number): Promise<void>
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
  const dataDir = path.join(tmpdir(), `flamegate-postgres-${randomUUID()}`)
  // Nothing here has to survive a power cut.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const options = { dataDir, password: randomUUID(), settings }
  let server = await startEmbeddedPostgres(options)
  const adminUrl = server.url('postgres')
  return {
    adminUrl,
    async createDatabase(name = 'flamegate') {
      await bootstrapRoles(adminUrl, passwords, name)
      const urls = urlsOf(adminUrl, name)
      await migrate(urls.ownerUrl)
      return urls
    },
    async restart(awayMs) {
      const { port } = server
      await server.stop()
      await pause(awayMs)
      server = await startEmbeddedPostgres({ ...options, preferredPort: port })
      if (server.port !== port) throw new Error(`Port ${port} is in use by somebody else now`)
    },
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
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
