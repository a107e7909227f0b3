import { randomUUID } from 'node:crypto'
import { newId, type Caller, type Role } from '@flamegate/contract'
import type { IdentityStore, Stores } from '@flamegate/operations/ports'
import { Client, Pool, type ClientBase } from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { openDatabase, type Database } from './database.ts'
import { createDatabase, databaseRoles } from './roles.ts'
import { createStores } from './stores.ts'
import { urlsOf, type TestDatabase } from './test-server.ts'

/** The database with all migrations, on the server that the tests of a run share, from which theirs are copied. */
export const migratedDatabase = 'migrated'

/** A database of one's own with all migrations, on the server that the tests of a run share. */
export function copyDatabase(name?: string): Promise<TestDatabase> {
  return addDatabase(async (client, copy) => {
    await client.query(`CREATE DATABASE "${copy}" OWNER ${databaseRoles.owner} TEMPLATE ${migratedDatabase}`)
    // A copy has everything but the rights to the database itself.
    await client.query(
      'UPDATE pg_database SET datacl = original.datacl FROM pg_database AS original ' +
        'WHERE pg_database.datname = $1 AND original.datname = $2',
      [copy, migratedDatabase],
    )
  }, name)
}

/** A database of one's own without migrations, on the server that the tests of a run share. */
export function emptyDatabase(): Promise<TestDatabase> {
  return addDatabase(async (client, name) => {
    for (const statement of createDatabase(name)) await client.query(statement)
  })
}

const newName = () => `test_${randomUUID()}`

async function addDatabase(
  add: (client: Client, name: string) => Promise<void>,
  name = newName(),
): Promise<TestDatabase> {
  const adminUrl = inject('postgresUrl')
  const client = new Client(adminUrl)
  await client.connect()
  await add(client, name)
  await client.end()
  return urlsOf(adminUrl, name)
}

/** Somebody, and the workspace in which they are owner. */
export interface Person {
  userId: string
  workspaceId: string
}

/** Stores on a database of their own, and people to use them. */
export interface TestStores {
  database: Database
  stores: Stores
  identity: IdentityStore
  urls: TestDatabase
  /** One connection as superuser, who is above row-level security: for arranging and looking. Made on first use. */
  admin: Pool
  /** Creates a person with a workspace in which they are owner. */
  signUp(name: string, person?: Person): Promise<Person>
}

/**
 * Stores for the tests of the file that calls this. Their database is there from the first `beforeAll` of the file on, and they
 * are closed after its last `afterAll`.
 */
export function prepareStores(): TestStores {
  const name = newName()
  const urls = urlsOf(inject('postgresUrl'), name)
  const failures: unknown[] = []
  const database = openDatabase({
    appUrl: urls.appUrl,
    authUrl: urls.authUrl,
    poolSize: 6,
    log: { info: () => undefined, error: ({ err }) => failures.push(err) },
  })
  const admin = new Pool({ connectionString: urls.adminUrl, max: 1, idleTimeoutMillis: 0 })
  const data = createStores(database)
  const { stores, identity } = data
  beforeAll(async () => {
    await copyDatabase(name)
  })
  afterAll(async () => {
    await admin.end()
    await data.close()
    await database.close()
    if (failures.length > 0) throw new AggregateError(failures, 'Failed in the background')
  })
  return {
    database,
    stores,
    identity,
    urls,
    admin,
    async signUp(personName, person = newPerson()) {
      await identity.createUser(
        { id: person.userId, email: `${personName}@example.com`, name: personName, passwordHash: 'hash' },
        { id: person.workspaceId, slug: personName, name: `Workspace of ${personName}` },
      )
      return person
    },
  }
}

/** Ada and bob, who have a workspace each and see nothing of the other's. */
export interface TestPeople {
  at: TestStores
  ada: Person
  bob: Person
  asAda: (access?: Caller['access']) => Caller
  asBob: (access?: Caller['access']) => Caller
  /** As bob would, were he a viewer in ada's workspace and in no other. */
  asViewer: (access?: Caller['access']) => Caller
  /** Creates a project in ada's workspace, about which there is nothing special but what is given, and tells its id. */
  createProject: (project?: Partial<NewProject>) => Promise<string>
}

type NewProject = Parameters<Stores['projects']['create']>[1]

/** Prepares stores with ada and bob in them, where ada calls as owner and everybody may write, unless something else is told. */
export function preparePeople({
  roleOfAda = 'owner',
  access: usual = 'write',
}: { roleOfAda?: Role; access?: Caller['access'] } = {}): TestPeople {
  const at = prepareStores()
  const ada = newPerson()
  const bob = newPerson()
  beforeAll(async () => {
    await at.signUp('ada', ada)
    await at.signUp('bob', bob)
  })
  const asAda: TestPeople['asAda'] = (access = usual) =>
    testCaller(ada.userId, { [ada.workspaceId]: roleOfAda }, access)
  return {
    at,
    ada,
    bob,
    asAda,
    asBob: (access = usual) => testCaller(bob.userId, { [bob.workspaceId]: 'owner' }, access),
    asViewer: (access = usual) => testCaller(bob.userId, { [ada.workspaceId]: 'viewer' }, access),
    async createProject(project) {
      const id = newId('project')
      const plain = { ...plainProject, id, workspaceId: ada.workspaceId, slug: id, name: 'Shop' }
      return (await at.stores.projects.create(asAda(), { ...plain, ...project })).id
    },
  }
}

/** Prepares the same, and one project in ada's workspace for the whole file. */
export function prepareProject(
  options?: Parameters<typeof preparePeople>[0],
): TestPeople & { projectId: string; place: { workspaceId: string; projectId: string } } {
  const people = preparePeople(options)
  const projectId = newId('project')
  beforeAll(async () => {
    await people.createProject({ id: projectId, slug: 'shop' })
  })
  return { ...people, projectId, place: { workspaceId: people.ada.workspaceId, projectId } }
}

const newPerson = (): Person => ({ userId: newId('user'), workspaceId: newId('workspace') })

/** Does something for each, one after the other, and gives the results. */
export async function inSequence<In, Out>(
  items: Iterable<In>,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const done: Out[] = []
  for (const item of items) done.push(await work(item))
  return done
}

/** Until somebody waits for what this connection holds. */
export async function waitUntilBlocked(holder: ClientBase): Promise<void> {
  await expect
    .poll(async () => {
      // Within a transaction the connections that there are stay those of the first look.
      await holder.query('SELECT pg_stat_clear_snapshot()')
      const { rows } = await holder.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
      )
      return rows[0]?.count
    })
    .toBe(1)
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

/** A file of five bytes about which there is nothing special, but for its place. */
export const plainFile = {
  runId: null,
  purpose: 'import_results',
  name: 'r.json',
  contentType: 'application/json',
  sizeBytes: 5,
  expiresAt: null,
}

/** What a run measured of a benchmark about which there is nothing special, but for its name. */
export const plainResult = {
  instrument: 'walltime' as const,
  metric: 'time',
  betterWhen: 'lower' as const,
  value: 1,
  unit: 'ns',
  stats: {},
  metrics: [],
}

/** Of an address to be an administrator, for a minute. */
export function plainInvitation(email: string) {
  return {
    id: newId('invitation'),
    email,
    role: 'admin' as const,
    tokenHash: `hash of ${email}`,
    expiresAt: new Date(Date.now() + 60_000),
  }
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
