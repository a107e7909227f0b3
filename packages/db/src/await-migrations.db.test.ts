import { rm } from 'node:fs/promises'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { awaitMigrations } from './await-migrations.ts'
import { migrate, migrationNames } from './migrate.ts'
import { migrationsBefore } from './migrations-before.ts'
import { bootstrapRoles } from './roles.ts'
import { startTestServer, urlsOf, type TestServer } from './test-server.ts'

let server: TestServer
let older: string
let newest: string
let auth: Pool
let ownerUrl: string
let warnings: { fields: object; message: string }[] = []
const log = { warn: (fields: object, message: string) => void warnings.push({ fields, message }) }

beforeAll(async () => {
  server = await startTestServer()
  newest = (await migrationNames()).at(-1) ?? ''
  older = await migrationsBefore(newest)
  await bootstrapRoles(server.adminUrl, { owner: 'owner', app: 'app', auth: 'auth', queue: 'queue' }, 'aged')
  const urls = urlsOf(server.adminUrl, 'aged')
  ownerUrl = urls.ownerUrl
  auth = new Pool({ connectionString: urls.authUrl })
  // Its connections are still saying goodbye when it has ended and the server stops.
  auth.on('error', () => undefined)
})
afterAll(async () => {
  await auth?.end()
  await server?.stop()
  await rm(older, { recursive: true })
})

test('a database that is older is refused when its time is over, with what to do, be it empty or a step behind', async () => {
  await expect(awaitMigrations(auth, { log, waitMs: 0 })).rejects.toThrow(
    /lacks \d{2,} migrations.*prepare-database/,
  )
  await migrate(ownerUrl, older)
  await expect(awaitMigrations(auth, { log, waitMs: 0 })).rejects.toThrow(
    `lacks 1 migrations, the last of them ${newest}.`,
  )
})

test('one that is being brought up to date is waited for, with one warning', async () => {
  warnings = []
  const waiting = awaitMigrations(auth, { log, waitMs: 60_000 })
  await expect.poll(() => warnings).toHaveLength(1)
  await migrate(ownerUrl)
  await waiting
  expect(warnings).toEqual([
    { fields: { migrations: [newest] }, message: expect.stringContaining('waiting') },
  ])
})

test('one that is newer is worked on while a newer version is rolled out, with a warning', async () => {
  warnings = []
  await awaitMigrations(auth, { log, waitMs: 0, folder: older })
  expect(warnings).toEqual([
    { fields: { migrations: [newest] }, message: expect.stringContaining('newer version') },
  ])
})
