import { Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { pageOf } from './cursor.ts'
import type { PageRequest } from './ports/index.ts'

const rows = ['2026-11-23', '2026-11-22', '2026-11-21'].map((day, index) => ({
  id: `run_${index}`,
  createdAt: new Date(`${day}T10:00:00.123Z`),
}))
const asked: PageRequest[] = []

function page(cursor: string | undefined, filters: Record<string, unknown> = {}) {
  return pageOf('runs', { limit: 1, cursor }, filters, async (request) => {
    asked.push(request)
    return rows.slice(0, 2)
  })
}

test('a page begins after the row that its cursor names', async () => {
  const { nextCursor } = await page(undefined)
  await page(nextCursor ?? '')
  expect(asked.at(-1)?.after).toEqual(rows[0])
})

test.each([
  // PostgreSQL has no time before 4713 BC.
  ['a time that the database does not know', '-271821-04-20T00:00:00Z'],
  ['no time', 'yesterday'],
  ['nothing', ''],
])('a cursor with %s is refused', async (_name, time) => {
  const { nextCursor } = await page(undefined)
  const parts: unknown[] = JSON.parse(Buffer.from(nextCursor ?? '', 'base64url').toString())
  const changed = Buffer.from(JSON.stringify([parts[0], time, parts[2]])).toString('base64url')
  await expect(page(changed)).rejects.toMatchObject({ code: 'cursor_invalid' })
})

test('a cursor of other filters is refused', async () => {
  const { nextCursor } = await page(undefined)
  await expect(page(nextCursor ?? '', { branch: 'main' })).rejects.toBeInstanceOf(Problem)
})
