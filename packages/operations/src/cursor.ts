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
  return pageAfter<Row, After>(listing, input, filters, {
    fetch: (limit, after) => fetch(after === undefined ? { limit } : { limit, after }),
    sortKeyOf: (row) => row.createdAt.toISOString(),
    readSortKey: (key, id) => {
      const createdAt = new Date(key)
      // As we write them: what other times JavaScript knows the database may not.
      const isOurs = /^\d{4}-/.test(key) && !Number.isNaN(createdAt.getTime())
      return isOurs ? { createdAt, id } : undefined
    },
  })
}

/** How a listing is ordered by something else than time. */
interface Order<Row, Place> {
  /** One row more than `limit` when there are more. */
  fetch: (limit: number, after: Place | undefined) => Promise<Row[]>
  /** What comes before the id in the order, as text. */
  sortKeyOf: (row: Row) => string
  /** The place that the text and the id stand for; undefined when the text is not one of ours. */
  readSortKey: (key: string, id: string) => Place | undefined
}

/** The same for a listing in an order of its own. */
export async function pageAfter<Row extends { id: string }, Place>(
  listing: string,
  input: { limit: number; cursor?: string | undefined },
  filters: Record<string, unknown>,
  order: Order<Row, Place>,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const key = createHash('sha256')
    .update(JSON.stringify([listing, filters]))
    .digest('base64url')
    .slice(0, 8)
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor, key, order.readSortKey)
  const found = await order.fetch(input.limit, after)
  const rows = found.slice(0, input.limit)
  const last = rows.at(-1)
  return {
    rows,
    nextCursor:
      found.length > input.limit && last !== undefined
        ? Buffer.from(JSON.stringify([key, order.sortKeyOf(last), last.id])).toString('base64url')
        : null,
  }
}

function decodeCursor<Place>(
  cursor: string,
  key: string,
  readSortKey: (sortKey: string, id: string) => Place | undefined,
): Place {
  const parts = parseCursor(cursor)
  const after = parts?.key === key ? readSortKey(parts.sortKey, parts.id) : undefined
  if (after === undefined) {
    throw new Problem(
      'cursor_invalid',
      'Take cursor from next_cursor of the page before, and keep the other fields the same; or leave it out to start again.',
      { errors: [{ field: 'cursor', message: 'Not a cursor of this listing.' }] },
    )
  }
  return after
}

function parseCursor(cursor: string): { key: string; sortKey: string; id: string } | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (!Array.isArray(value)) return undefined
    const [key, sortKey, id]: unknown[] = value
    if (typeof key === 'string' && typeof sortKey === 'string' && typeof id === 'string')
      return { key, sortKey, id }
  } catch {
    // Not JSON: not one of ours.
  }
  return undefined
}
