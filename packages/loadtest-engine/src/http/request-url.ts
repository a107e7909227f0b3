import { ActionFailure } from '../action-failure.ts'
import type { CompiledField, CompiledServer } from '../program/compiler.ts'
import type { CompiledTemplate } from '../program/compiled-template.ts'

type Expand = (template: CompiledTemplate) => string

/**
 * The address of a request. A path is put behind the base URL; one that a server gave as a whole address is that address.
 * @throws ActionFailure where no address comes of it
 */
export function requestUrl(
  server: CompiledServer,
  path: CompiledTemplate,
  query: readonly CompiledField[],
  expand: Expand,
): URL {
  return addressOf(server, baseOf(server, expand), expand(path), queryOf(query, expand))
}

/** What stands before the paths of a server. */
export function baseOf({ baseUrl }: CompiledServer, expand: Expand): string {
  return typeof baseUrl === 'string' ? baseUrl : withOneScheme(expand(baseUrl))
}

/** A variable behind a scheme, as in `https://${shop}`, may bring one of its own, which counts then. */
export function withOneScheme(base: string): string {
  return base.replace(/^https?:\/\/(?=https?:\/\/)/i, '')
}

/** Names and values, encoded, with & between them. */
export function queryOf(query: readonly CompiledField[], expand: Expand): string {
  return query.map(([name, value]) => `${encoded(expand(name))}=${encoded(expand(value))}`).join('&')
}

/** The address of a request, with its variables filled in. */
export function addressOf(server: CompiledServer, base: string, asked: string, pairs: string): URL {
  const text = /^https?:\/\//i.test(asked) ? asked : joined(base, asked)
  const whole = pairs === '' ? text : `${text}${text.includes('?') ? '&' : '?'}${pairs}`
  // What a variable brought in is a part of the path, and no fragment, which would not be sent.
  const url = URL.parse(whole.replaceAll('#', '%23'))
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ActionFailure(`The address ${whole.slice(0, 300)} is no http or https URL.`)
  if (url.username !== '' || url.password !== '')
    throw new ActionFailure(
      `The address of the server ${server.name} has a password in it. Put it into its authentication, as a secret.`,
    )
  return url
}

function joined(base: string, path: string): string {
  if (path === '') return base
  const start = base.endsWith('/') ? base.slice(0, -1) : base
  return path.startsWith('/') || path.startsWith('?') ? `${start}${path}` : `${start}/${path}`
}

export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
