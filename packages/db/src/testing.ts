import { randomUUID } from 'node:crypto'
import { newId, type Caller, type Role } from '@flamegate/contract'
import type { IdentityStore, Stores } from '@flamegate/operations/ports'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openDatabase, type Database } from './database.ts'
import { createDatabase, databaseRoles } from './roles.ts'
import { createStores } from './stores.ts'
import { urlsOf, type TestDatabase } from './test-server.ts'

/** The database with all migrations, on the server that the tests of a run share, from which theirs are copied. */
export const migratedDatabase = 'migrated'

/** A database of one's own with all migrations, on the server that the tests of a run share. */
export function copyDatabase(): Promise<TestDatabase> {
  return addDatabase(async (client, name) => {
    await client.query(`CREATE DATABASE "${name}" OWNER ${databaseRoles.owner} TEMPLATE ${migratedDatabase}`)
    // A copy has everything but the rights to the database itself.
    await client.query(
      'UPDATE pg_database SET datacl = original.datacl FROM pg_database AS original ' +
        'WHERE pg_database.datname = $1 AND original.datname = $2',
      [name, migratedDatabase],
    )
  })
}

/** A database of one's own without migrations, on the server that the tests of a run share. */
export function emptyDatabase(): Promise<TestDatabase> {
  return addDatabase(async (client, name) => {
    for (const statement of createDatabase(name)) await client.query(statement)
  })
}

async function addDatabase(add: (client: Client, name: string) => Promise<void>): Promise<TestDatabase> {
  const adminUrl = inject('postgresUrl')
  const name = `test_${randomUUID()}`
  const client = new Client(adminUrl)
  await client.connect()
  await add(client, name)
  await client.end()
  return urlsOf(adminUrl, name)
}

/** Stores on a database of their own, and people to use them. */
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
  const urls = await copyDatabase()
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

/** A project about which there is nothing special, but for its place and name. */
export const plainProject = { description: '', tags: [], repository: null }

/** A run about which there is nothing special, but for its place. */
export const plainRun = {
  branch: 'main',
  commitHash: 'c0ffee12',
  commitMessage: '',
  pullRequest: null,
  baseBranch: null,
  baseCommitHash: null,
  measurementId: null,
  event: 'push',
  status: 'PENDING' as const,
  tags: [],
  environment: {},
  committedAt: null,
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
