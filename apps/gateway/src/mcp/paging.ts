import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** Long enough that our own lists are one page. */
const pageLength = 100

/**
 * One page of a list that stays the same while we run, from where `cursor` points. A cursor is opaque to clients:
 * the number of items before the page, in Base64url.
 * @throws ProtocolError -32602 for a cursor that we did not give
 */
export function pageOf<T>(
  items: readonly T[],
  cursor: string | undefined,
): { items: T[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
  const isPageStart = start > 0 && start < items.length && start % pageLength === 0
  if (cursor !== undefined && !(isPageStart && cursor === cursorAt(start))) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'There is no such cursor. Begin again without one.',
    )
  }
  const end = start + pageLength
  return { items: items.slice(start, end), ...(end < items.length ? { nextCursor: cursorAt(end) } : {}) }
}

function cursorAt(start: number): string {
  return Buffer.from(String(start)).toString('base64url')
}
