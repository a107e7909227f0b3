import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@flamegate/runtime'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPlatformPostgres } from './embedded-postgres.ts'
import { loadSecrets } from './secrets.ts'

const log = createLogger({ level: 'silent' })
let dir = ''

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'flamegate data '))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('passwords and port are made once, kept for us alone, and work the next time', async () => {
  const first = await startPlatformPostgres(dir, log)
  await first.stop()
  expect((await stat(join(dir, 'secrets.json'))).mode & 0o777).toBe(0o600)
  const secrets = await loadSecrets(dir)
  expect(new Set([secrets.postgresPassword, ...Object.values(secrets.databasePasswords)]).size).toBe(5)

  const second = await startPlatformPostgres(dir, log)
  expect(second.port).toBe(first.port)
  const client = new Client({ connectionString: second.url('postgres') })
  await client.connect()
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await client.end()
  await second.stop()
})

test('a database whose secrets are lost is refused, and left as it is', async () => {
  await rename(join(dir, 'secrets.json'), join(dir, 'elsewhere.json'))
  await expect(startPlatformPostgres(dir, log)).rejects.toThrow('secrets.json is gone')
  await expect(stat(join(dir, 'secrets.json'))).rejects.toThrow('ENOENT')
  await rename(join(dir, 'elsewhere.json'), join(dir, 'secrets.json'))
})

test('damaged secrets are named', async () => {
  const path = join(dir, 'secrets.json')
  const kept = await readFile(path)
  await writeFile(path, '{"postgresPassword":"short"}')
  await expect(startPlatformPostgres(dir, log)).rejects.toThrow(`${path} is damaged.`)
  await writeFile(path, kept)
})
