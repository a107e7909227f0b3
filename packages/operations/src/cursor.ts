import { Problem } from '@flamegate/contract'
import { createHash } from 'node:crypto'
import type { After, PageRequest } from './ports/index.ts'

/**
 * One page of a newest-first listing. The cursor names the listing and its filters, so that one from another
 * listing is refused instead of giving nonsense.
 */
export async function pageOf<Row extends { createdAt: Date; id: string }>(
  listing: string,
  input: { limit: number; cursor?: string | undefined },
  filters: Record<string, unknown>,
  fetch: (page: PageRequest) => Promise<Row[]>,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const key = createHash('sha256')
    .update(JSON.stringify([listing, filters]))
    .digest('base64url')
    .slice(0, 8)
  const page: PageRequest = { limit: input.limit }
  if (input.cursor !== undefined) page.after = decodeCursor(input.cursor, key)
  const found = await fetch(page)
  const rows = found.slice(0, input.limit)
  const last = rows.at(-1)
  return {
    rows,
    nextCursor: found.length > input.limit && last !== undefined ? encodeCursor(last, key) : null,
  }
}

function encodeCursor(row: After, key: string): string {
  return Buffer.from(JSON.stringify([key, row.createdAt.toISOString(), row.id])).toString('base64url')
}

function decodeCursor(cursor: string, key: string): After {
  const parts = parseCursor(cursor)
  const createdAt = new Date(parts?.time ?? Number.NaN)
  if (parts === undefined || parts.key !== key || Number.isNaN(createdAt.getTime())) {
    throw new Problem(
      'cursor_invalid',
      'Take cursor from next_cursor of the page before, and keep the other fields the same; or leave it out to start again.',
      { errors: [{ field: 'cursor', message: 'Not a cursor of this listing.' }] },
    )
  }
  return { createdAt, id: parts.id }
}

function parseCursor(cursor: string): { key: string; time: string; id: string } | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (!Array.isArray(value)) return undefined
    const [key, time, id]: unknown[] = value
    if (typeof key === 'string' && typeof time === 'string' && typeof id === 'string')
      return { key, time, id }
  } catch {
    // Not JSON: not one of ours.
  }
  return undefined
}
