import { callerAssertionHeader, createAuthenticator, createSealing } from '@flamegate/auth'
import { newId, type Caller, type Principal } from '@flamegate/contract'
import { createExecute, implementations } from '@flamegate/operations'
import type { JobQueue, ObjectStorage, Run, Stores } from '@flamegate/operations/ports'
import { createLogger, createServer } from '@flamegate/runtime'
import { apiPlugin } from '../../apps/api/src/api-plugin.ts'
import { operationDeps } from '../../apps/api/src/operation-deps.ts'
import { openDatabase, type Database } from '../../packages/db/src/database.ts'
import { startTestServer } from '../../packages/db/src/test-server.ts'
import { createStores } from '../../packages/db/src/stores.ts'
import { noQueueDesk } from '../../packages/queue/src/testing.ts'
import type { MadeResult } from './make-results.ts'

const publicUrl = 'http://localhost'

/** A PostgreSQL server of its own, the stores on it, and the API in front of them. */
export interface World {
  stores: Stores
  database: Database
  /** As superuser, who is above row-level security. */
  admin: Database
  /** Of the owner of the tables, who is not. */
  ownerUrl: string
  caller: Caller
  place: { workspaceId: string; projectId: string }
  /** GET over HTTP; gives the answer and how long it took until its last byte, in milliseconds. */
  get: (path: string) => Promise<{ answer: Record<string, unknown>; ms: number }>
  /** A run with these results, completed; and how long that took. */
  submit: (results: MadeResult[], branch?: string) => Promise<{ run: Run; ms: number }>
  stop: () => Promise<void>
}

/** Nothing is queued and nothing uploaded here. */
const idle = {
  queue: {
    add: () => Promise.resolve(),
    addAfter: () => Promise.resolve(),
    remove: () => Promise.resolve(),
  } satisfies JobQueue,
  queueDesk: noQueueDesk,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- none of its methods is called
  storage: {} as ObjectStorage,
  archiveLinks: { urlOf: () => '', read: () => undefined },
}

export async function startWorld(): Promise<World> {
  const server = await startTestServer()
  const urls = await server.createDatabase()
  const log = { info: () => undefined, error: () => undefined }
  const database = openDatabase({ appUrl: urls.appUrl, authUrl: urls.authUrl, poolSize: 4, log })
  const admin = openDatabase({ appUrl: urls.adminUrl, authUrl: urls.adminUrl, poolSize: 1, log })
  const data = createStores(database)
  const { stores, identity } = data
  const userId = newId('user')
  const workspaceId = newId('workspace')
  await identity.createUser(
    { id: userId, email: 'bench@example.com', name: 'Bench', passwordHash: null },
    { id: workspaceId, slug: 'bench', name: 'Bench' },
  )
  const principal: Principal = {
    userId,
    via: 'session',
    clientId: 'web',
    clientName: 'Bench',
    scopes: ['read', 'write'],
  }
  const caller: Caller = { principal, roles: new Map([[workspaceId, 'owner']]), access: 'write' }
  const { id: projectId } = await stores.projects.create(caller, {
    id: newId('project'),
    workspaceId,
    slug: 'bench',
    name: 'Bench',
    description: '',
    tags: [],
    repository: null,
  })
  const authenticator = await createAuthenticator({ identity, issuer: publicUrl })
  const app = createServer({
    log: createLogger({ level: 'error', format: 'json' }),
    trustedProxies: [],
    isTraced: false,
  })
  const sealing = createSealing(identity)
  const deps = operationDeps({
    ...idle,
    stores,
    publicUrl,
    admins: [],
    pushedProfileDays: 7,
    validationDays: 30,
    limits: undefined,
    auditKey: 'bench',
    sealing,
    githubApiUrl: '',
    webhooksToLoopback: false,
    mailServer: undefined,
    targetsAllowed: [],
    dnsServers: [],
    ssoDomains: [],
  })
  await app.register(
    apiPlugin({
      execute: createExecute(implementations, deps),
      authenticator,
      idempotency: { store: stores.idempotency, sealing },
      publicUrl,
      allowAssertion: true,
    }),
  )
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const place = { workspaceId, projectId }

  return {
    stores,
    database,
    admin,
    ownerUrl: urls.ownerUrl,
    caller,
    place,
    async get(path) {
      const headers = { [callerAssertionHeader]: await authenticator.assertions.sign(principal) }
      const startedAt = performance.now()
      const response = await fetch(origin + path, { headers })
      const text = await response.text()
      const ms = performance.now() - startedAt
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return { answer: JSON.parse(text), ms }
    },
    async submit(results, branch = 'main') {
      const { id } = await stores.runs.create(caller, {
        ...place,
        id: newId('run'),
        branch,
        commitHash: 'c0ffee1234567890',
        commitMessage: 'Brew',
        pullRequest: null,
        baseBranch: null,
        baseCommitHash: null,
        measurementId: null,
        event: 'push',
        status: 'PENDING',
        tags: [],
        environment: { cpu: 'AMD EPYC 9B14', os: 'linux', arch: 'x64', runtime: 'node 24.21.0' },
        committedAt: null,
      })
      const startedAt = performance.now()
      const run = await stores.runs.complete(caller, id, {
        adapter: 'custom',
        warnings: [],
        environment: {},
        results,
      })
      return { run, ms: performance.now() - startedAt }
    },
    async stop() {
      await app.close()
      await authenticator.close()
      await data.close()
      await Promise.all([database.close(), admin.close()])
      await server.stop()
    },
  }
}
