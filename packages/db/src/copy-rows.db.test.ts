import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRows, integerOf } from './copy-rows.ts'
import { sql } from './sql.ts'
import { emptyDatabase } from './testing.ts'

let client: Client
beforeAll(async () => {
  const { appUrl } = await emptyDatabase()
  client = new Client(appUrl)
  await client.connect()
})
afterAll(() => client?.end())

test('rows come as they are, with all bytes, of values that are put into the text', async () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const rows = await copyRows(
    client,
    sql`SELECT number, decode(${all.toString('base64')}, 'base64'), NULLIF(name, ${`o'clock\\`})
      FROM unnest(${[7, -1]}::int[], ${[`o'clock\\`, 'ä']}::text[]) AS each (number, name) ORDER BY number`,
  )
  expect(rows.map(([number, bytes, name]) => [integerOf(number), bytes, name?.toString() ?? null])).toEqual([
    [-1, all, 'ä'],
    [7, all, null],
  ])
  expect(await copyRows(client, sql`SELECT 1 WHERE false`)).toEqual([])
})

test('a statement that fails tells it, and the connection goes on', async () => {
  await expect(copyRows(client, sql`SELECT 1 / ${0}`)).rejects.toThrow('division by zero')
  await expect(copyRows(client, sql`SELECT ${null}`)).rejects.toThrow(TypeError)
  expect(await copyRows(client, sql`SELECT 1`)).toHaveLength(1)
})
