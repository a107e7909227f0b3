import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryColumns, sql } from './sql.ts'
import { emptyDatabase } from './testing.ts'

let client: Client

beforeAll(async () => {
  const { appUrl } = await emptyDatabase()
  client = new Client(appUrl)
  await client.connect()
})
afterAll(() => client?.end())

interface Row {
  place: number
  text: string | null
  list: number[] | null
  facts: { deep: string }
  isOdd: boolean
}
const columns = ['place', 'text', 'list', 'facts', 'isOdd'] as const

test('columns of many rows are in their order, with what they hold', async () => {
  const count = 25_000
  const read = await queryColumns<Row>(
    client,
    columns,
    sql`SELECT place, nullif('"' || place, '"2') AS text,
        CASE WHEN place % 2 = 0 THEN ARRAY [place / 4.0::float8, NULL] END AS list,
        jsonb_build_object('deep', place::text) AS facts, place % 2 = 1 AS "isOdd"
      FROM generate_series(1, ${count}::integer) AS place ORDER BY place DESC`,
  )
  expect(read.place).toEqual(Array.from({ length: count }, (_, at) => count - at))
  expect(read.text.slice(-2)).toEqual([null, '"1'])
  expect(read.list.slice(-2)).toEqual([[0.5, null], null])
  expect(read.facts.slice(-2)).toEqual([{ deep: '2' }, { deep: '1' }])
  expect(read.isOdd.slice(-2)).toEqual([false, true])
})

test('columns of no rows are empty', async () => {
  expect(
    await queryColumns<Row>(
      client,
      columns,
      sql`SELECT 1 AS place, 'a' AS text, NULL AS list, '{}' AS facts,
    true AS "isOdd" WHERE false`,
    ),
  ).toEqual({ place: [], text: [], list: [], facts: [], isOdd: [] })
})
