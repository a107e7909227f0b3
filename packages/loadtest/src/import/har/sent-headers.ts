import { isOwnHeader } from '../../correlate/text-slots.ts'
import { literal, type Field } from '../../model/template.ts'
import type { RequestBody } from '../../model/request.ts'
import type { ExchangeHeader } from '../../recording/exchange.ts'

/** What the engine makes by itself: of the connection, the body, its cookies and its cache. */
const madeByEngine = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'cookie',
  'host',
  'http2-settings',
  'if-modified-since',
  'if-none-match',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Belongs to one request, even where all requests happen to have the same. */
const ownOfRequest = new Set(['content-type', 'origin', 'range', 'referer'])

/** The headers that a request is to send itself. The type of its body is told by the body. */
export function sentHeaders(headers: readonly ExchangeHeader[], body: RequestBody | null): Field[] {
  return headers
    .filter(({ name, value }) => {
      const lower = name.toLowerCase()
      if (madeByEngine.has(lower) || lower.startsWith('sec-')) return false
      if (lower !== 'content-type' || body === null) return true
      return body.type === 'form' && value.includes(';')
    })
    .map(({ name, value }) => ({ name: literal(name), value: literal(value) }))
}

/** Something that goes to a server with headers, which lifting takes from it. */
export interface WithHeaders {
  serverId: string
  headers: Field[]
}

/**
 * Takes the headers that all requests of a server have in common away from them; gives them by server. What a server may have
 * given, such as a token, stays with the requests: correlation looks for it there, and not at servers.
 */
export function liftHeaders(requests: readonly WithHeaders[]): Map<string, Field[]> {
  const lifted = new Map<string, Field[]>()
  for (const [serverId, own] of Map.groupBy(requests, (request) => request.serverId)) {
    if (own.length < 2) continue
    const common = commonHeaders(own.map(({ headers }) => headers)).slice(0, 100)
    const names = new Set(common.map(({ name }) => name.toLowerCase()))
    for (const request of own)
      request.headers = request.headers.filter(({ name }) => !names.has(name.toLowerCase()))
    lifted.set(serverId, common)
  }
  return lifted
}

/** Those that are in each list, once, with the same value. */
function commonHeaders(lists: readonly (readonly Field[])[]): Field[] {
  const [first = [], ...others] = lists.map(headersByName)
  const common: Field[] = []
  for (const [name, header] of first) {
    if (header === undefined || ownOfRequest.has(name) || !isOwnHeader(name)) continue
    if (others.every((headers) => headers.get(name)?.value === header.value)) common.push(header)
  }
  return common
}

/** By name in lower case; undefined for a name that comes twice. */
function headersByName(headers: readonly Field[]): Map<string, Field | undefined> {
  const byName = new Map<string, Field | undefined>()
  for (const header of headers) {
    const name = header.name.toLowerCase()
    byName.set(name, byName.has(name) ? undefined : header)
  }
  return byName
}
