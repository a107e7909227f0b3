import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryManyRows, sql } from './sql.ts'
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

test('many rows come in their order, with what their columns hold', async () => {
  const count = 25_000
  const rows = await queryManyRows<Row>(
    client,
    columns,
    sql`SELECT place, nullif('"' || place, '"2') AS text,
        CASE WHEN place % 2 = 0 THEN ARRAY [place / 4.0::float8, NULL] END AS list,
        jsonb_build_object('deep', place::text) AS facts, place % 2 = 1 AS "isOdd"
      FROM generate_series(1, ${count}::integer) AS place ORDER BY place DESC`,
  )
  expect(rows.map(({ place }) => place)).toEqual(Array.from({ length: count }, (_, at) => count - at))
  expect(rows.slice(-2)).toEqual([
    { place: 2, text: null, list: [0.5, null], facts: { deep: '2' }, isOdd: false },
    { place: 1, text: '"1', list: null, facts: { deep: '1' }, isOdd: true },
  ])
})

test('of nothing there are no rows', async () => {
  expect(
    await queryManyRows<Row>(
      client,
      columns,
      sql`SELECT 1 AS place, 'a' AS text, NULL AS list, '{}' AS facts,
    true AS "isOdd" WHERE false`,
    ),
  ).toEqual([])
})
