import type { Field } from '../model/template.ts'

/** A web address, taken apart. Path and query may hold templates; the query is decoded. */
export interface Address {
  /** `https://shop.example.com:8443`, without a path. */
  origin: string
  /** As URL.host tells it; null where it is known only when the test runs. */
  host: string | null
  user: { name: string; password: string } | null
  path: string
  query: Field[]
}

const addressCharactersMax = 100_000

/** Takes apart an address that has a scheme; undefined when it is no web address. What is behind a # is never sent. */
export function splitAddress(text: string): Address | undefined {
  if (text.length > addressCharactersMax) return undefined
  const found = /^(https?):\/\/([^/?#\s]+)([^?#]*)(?:\?([^#]*))?/i.exec(text.trim())
  if (found === null) return undefined
  const [, scheme = '', authority = '', path = '', query = ''] = found
  const at = authority.lastIndexOf('@')
  const user = at === -1 ? null : splitUser(authority.slice(0, at))
  const base = `${scheme.toLowerCase()}://${authority.slice(at + 1)}`
  const parts = { user, path: encodePath(path === '' ? '/' : path), query: [] }
  if (base.includes('${')) return withQuery({ origin: base, host: null, ...parts }, query)
  // Of very long hosts URL.canParse says yes where there is no URL.
  const url = URL.parse(base)
  return url === null ? undefined : withQuery({ origin: url.origin, host: url.host, ...parts }, query)
}

/**
 * A query, decoded. What could not be encoded again as it is written is left so, with its ?, to be sent behind the path: names without =,
 * as `?wsdl`, and a whole query where a pair of it holds codes that are no UTF-8, as `name=caf%E9` does.
 */
export function readQuery(text: string): { query: Field[]; behindPath: string } {
  if (!isUtf8(text)) return { query: [], behindPath: `?${text}` }
  const bare = text.split('&').filter((pair) => pair !== '' && !pair.includes('='))
  if (bare.length === 0) return { query: splitQuery(text), behindPath: '' }
  const pairs = text.split('&').filter((pair) => pair.includes('='))
  return { query: splitQuery(pairs.join('&')), behindPath: `?${bare.join('&')}` }
}

/** An address with more of a query, as it is written, behind what it has. */
export function withQuery(address: Address, text: string): Address {
  const { query, behindPath } = readQuery(text)
  const more = encodePath(address.path.includes('?') ? behindPath.replace('?', '&') : behindPath)
  return { ...address, path: `${address.path}${more}`, query: [...address.query, ...query] }
}

/** Whether all that is encoded in the pairs of a query or of a form can be decoded. */
export function isUtf8(pairs: string): boolean {
  return pairs.split('&').every((pair) => !/%[0-9a-f]{2}/i.test(pair) || decoded(pair) !== undefined)
}

/** `a=1&b=two%20words`, decoded. */
export function splitQuery(text: string): Field[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals === -1
        ? { name: decodeQuery(pair), value: '' }
        : { name: decodeQuery(pair.slice(0, equals)), value: decodeQuery(pair.slice(equals + 1)) }
    })
}

/** What no path may hold is encoded; what is encoded already stays. */
export function encodePath(path: string): string {
  return path.toWellFormed().replaceAll(/[^\x21-\x7e]|["<>\\^`|]/gu, encodeURIComponent)
}

function splitUser(text: string): { name: string; password: string } {
  const colon = text.indexOf(':')
  return colon === -1
    ? { name: decode(text), password: '' }
    : { name: decode(text.slice(0, colon)), password: decode(text.slice(colon + 1)) }
}

/** A name or a value of a query, or of a form. */
export function decodeQuery(text: string): string {
  return decode(text.replaceAll('+', ' '))
}

/** A text with a % that begins no code is as it is meant. What is encoded begins no template when it is decoded. */
function decode(text: string): string {
  return (
    decoded(text.replaceAll(/(?:\$|%24)(?:\{|%7b)/gi, (found) => (found === '${' ? found : '$${'))) ?? text
  )
}

/** Undefined where it cannot be decoded. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
