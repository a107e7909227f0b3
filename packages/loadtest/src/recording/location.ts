import type { Exchange } from './exchange.ts'

/** Those that lead somewhere by their Location (RFC 9110, 15.4). */
export function isRedirectStatus(status: number | null): boolean {
  return status !== null && [301, 302, 303, 307, 308].includes(status)
}

/** Where the answer of an exchange leads to, as an absolute address; null where it is no redirect, or that cannot be read. */
export function locationOf({ request, response }: Exchange): string | null {
  if (response === null || !isRedirectStatus(response.status)) return null
  const header = response.headers.find(({ name }) => name.toLowerCase() === 'location')
  return header === undefined ? null : (URL.parse(header.value, request.url)?.href ?? null)
}
