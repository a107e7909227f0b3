import { DatabaseInterrupted, DatabaseUnavailable } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { Prisma } from './generated/client.ts'
import { execute, queryRows, sql } from './sql.ts'
import { preparePeople } from './testing.ts'

const { at, asAda } = preparePeople()

const raising = (code: string) => `DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '${code}'; END $$`

describe.each([
  ['a connection that the server ends', 'SELECT pg_terminate_backend(pg_backend_pid())'],
  ['a disk that is full', raising('53100')],
  ['memory that is used up', raising('53200')],
  ['a disk that does not work', raising('58030')],
])('%s breaks off what was begun, and is no defect', (_what, statement) => {
  test('of SQL', async () => {
    const work = at.database.asCallerSql(asAda(), (client) => client.query(statement))
    await expect(work).rejects.toBeInstanceOf(DatabaseInterrupted)
  })

  test('of Prisma', async () => {
    const work = at.database.asCaller(asAda(), (transaction) => transaction.$executeRawUnsafe(statement))
    await expect(work).rejects.toBeInstanceOf(DatabaseInterrupted)
  })
})

describe.each([
  ['a deadlock', '40P01'],
  ['a change of others', '40001'],
])('what %s undid can be tried again', (_what, code) => {
  test('of SQL', async () => {
    const work = at.database.asCallerSql(asAda(), (client) => client.query(raising(code)))
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
  })

  test('of Prisma', async () => {
    const work = at.database.asCaller(asAda(), (transaction) => transaction.$executeRawUnsafe(raising(code)))
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
  })

  test('of a single statement', async () => {
    const work = execute(at.database.auth, Prisma.raw(raising(code)))
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
  })
})

test('so is a single statement that the server ends', async () => {
  const work = execute(at.database.auth, sql`SELECT pg_terminate_backend(pg_backend_pid())`)
  await expect(work).rejects.toBeInstanceOf(DatabaseInterrupted)
})

test('an error of a statement itself stays what it is', async () => {
  await expect(queryRows(at.database.auth, sql`SELECT 1 / 0`)).rejects.toMatchObject({ code: '22012' })
  const work = at.database.asAuth((client) => client.query('SELECT 1 / 0'))
  await expect(work).rejects.toMatchObject({ code: '22012' })
})
