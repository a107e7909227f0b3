import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyDatabase } from './testing.ts'

/** One model of schema.prisma in the database's words. */
interface Table {
  name: string
  /** `name type[ null]` */
  columns: string[]
  /** `pk|unique|index (column[ DESC], …)` */
  indexes: string[]
  /** `(columns) -> table (columns) action` */
  references: string[]
}

const postgresTypes: Record<string, string> = {
  String: 'text',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Json: 'jsonb',
  Bytes: 'bytea',
  DateTime: 'timestamp(3) with time zone',
}

const schema = await readFile(path.resolve(import.meta.dirname, '../../../prisma/schema.prisma'), 'utf8')
const tables = parseSchema(schema)

let client: Client

beforeAll(async () => {
  client = new Client((await copyDatabase()).adminUrl)
  await client.connect()
})
afterAll(() => client?.end())

test('schema.prisma and the migrations know the same tables', async () => {
  const names = await texts(`SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname <> '_prisma_migrations'`)
  expect(names).toEqual(tables.map((table) => table.name).toSorted())
})

describe.each(tables)('$name', (table) => {
  test('has the columns of its model', async () => {
    const columns = await texts(
      `SELECT attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN '' ELSE ' null' END
      FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      table.name,
    )
    expect(columns).toEqual(table.columns.toSorted())
  })

  test('has the keys and indexes of its model', async () => {
    const indexes = await texts(
      `SELECT CASE WHEN indisprimary THEN 'pk' WHEN indisunique THEN 'unique' ELSE 'index' END || ' (' ||
        (SELECT string_agg(pg_get_indexdef(indexrelid, place, true)
            || CASE WHEN indoption[place - 1] & 1 = 1 THEN ' DESC' ELSE '' END, ', ' ORDER BY place)
          FROM generate_series(1, indnkeyatts) AS place) || ')'
      FROM pg_index WHERE indrelid = $1::regclass`,
      table.name,
    )
    expect(indexes).toEqual(table.indexes.toSorted())
  })

  test('refers to what its model refers to', async () => {
    const references = await texts(
      `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'f'`,
      table.name,
    )
    expect(references).toEqual(expect.arrayContaining(table.references))
  })
})

async function texts(query: string, ...values: string[]): Promise<string[]> {
  const { rows } = await client.query<string[]>({ text: query, values, rowMode: 'array' })
  return rows.map((row) => row[0] ?? '').toSorted()
}

/** Reads as much of Prisma's schema language as our schema uses. */
function parseSchema(text: string): Table[] {
  const blocks = new Map<string, string[]>()
  for (const [, name = '', body = ''] of text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)) {
    const lines = body.split('\n').map((line) => line.trim())
    blocks.set(
      name,
      lines.filter((line) => line !== '' && !line.startsWith('//')),
    )
  }
  const tableNames = new Map([...blocks].map(([model, lines]) => [model, mapped(lines.at(-1) ?? '', model)]))
  const columnNames = new Map(
    [...blocks].map(([model, lines]) => [
      model,
      new Map(lines.map((line) => [line.split(/\s+/)[0] ?? '', mapped(line, line.split(/\s+/)[0] ?? '')])),
    ]),
  )

  return [...blocks].map(([model, lines]) => {
    const table: Table = { name: tableNames.get(model) ?? '', columns: [], indexes: [], references: [] }
    const columns = (list: string, of = model) =>
      list.split(', ').map((field) => {
        const [, name = '', desc] = /^(\w+)(\(sort: Desc\))?$/.exec(field) ?? []
        return `${columnNames.get(of)?.get(name) ?? field}${desc === undefined ? '' : ' DESC'}`
      })
    for (const line of lines) {
      const [field = '', type = ''] = line.split(/\s+/)
      const postgresType = postgresTypes[type.replace(/\?|\[\]/, '')]
      const column = mapped(line, field)
      const block = /^@@(id|unique|index)\(\[(.*)\]\)$/.exec(line)
      const relation = /@relation\(fields: \[(.*?)\], references: \[(.*?)\], onDelete: (\w+)\)/.exec(line)
      if (block) {
        const kind = block[1] === 'id' ? 'pk' : block[1]
        table.indexes.push(`${kind} (${columns(block[2] ?? '').join(', ')})`)
      } else if (relation) {
        const [, fields = '', references = '', action = ''] = relation
        const target = type.replace('?', '')
        table.references.push(
          `FOREIGN KEY (${columns(fields).join(', ')}) REFERENCES ${tableNames.get(target)}` +
            `(${columns(references, target).join(', ')})${action === 'Cascade' ? ' ON DELETE CASCADE' : ''}`,
        )
      } else if (postgresType !== undefined) {
        table.columns.push(
          `${column} ${postgresType}${type.endsWith('[]') ? '[]' : ''}${type.endsWith('?') ? ' null' : ''}`,
        )
        if (/ @id\b/.test(line)) table.indexes.push(`pk (${column})`)
        if (/ @unique\b/.test(line)) table.indexes.push(`unique (${column})`)
      }
    }
    return table
  })
}

function mapped(line: string, otherwise: string): string {
  return /@map\("(\w+)"\)/.exec(line)?.[1] ?? otherwise
}
