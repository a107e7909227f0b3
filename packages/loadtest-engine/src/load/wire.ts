import { basicAuthorization, bearerAuthorization } from '../http/authorization.ts'
import { acceptedEncodings, asLatin1 } from '../http/http-client.ts'
import { framingHeaders, headerOf } from '../http/request.ts'
import type { HeaderList } from '../http/request.ts'
import { addressOf, baseOf, encoded, queryOf } from '../http/request-url.ts'
import type { Transport } from '../http/transport.ts'
import type { CompiledTemplate } from '../program/compiled-template.ts'
import type { CompiledField, CompiledServer } from '../program/compiler.ts'
import type { User } from '../program/user.ts'
import type { RequestParts } from '../steps/http-request.ts'
import type { TemplatePart } from '@flamegate/loadtest'
import { headerCharacters, pathCharacters, plainText, queryCharacters } from './plain-text.ts'

/** A request as it goes over a connection of HTTP/1.1. */
export interface Wire {
  /** Null where it goes to the server of the action, whose address has no variables. */
  url: URL | null
  /** Path and query. */
  target: string
  /** Each character is a byte. */
  text: string
}

/** What may not be in a header (RFC 9110, 5.5): the client of the checks says why it cannot be sent. */
const badInValue = /[^\t\x20-\x7e\x80-\xff]/
/** Beyond ASCII, what stands beside it counts: all of a value is UTF-8, or all of it Latin-1. */
const badInHeaderText = /[^\t -~]/
const badInName = /[^\w!#$%&'*+.^`|~-]/
/** What of a path and a query the URL parser leaves as it is, beside dot segments. */
const plainTarget = /^\/[\w\-~!$&'()*+,;=:@/.]*(?:\?[\w\-~!$&()*+,;=:@/.?%]*)?$/
/** undici tells a length of 0 with these, and none with others. */
const expectsBody = /^(?:POST|PUT|PATCH)$/

/** Either the same for all users, or made for one. */
type Piece = string | ((user: User) => string)

/** This one request cannot be written here, though others of its action can: what is to be said about it, the client says. */
export class NotPlain extends Error {}

/**
 * Writes the requests of an action: what is the same for all users is written once. They are what the HttpClient of a check sends;
 * load-generator.measured.test.ts holds one against the other.
 */
export class RequestWriter {
  /** Of the server, where no variables are in it. */
  readonly base: URL | null
  readonly #parts: RequestParts & { server: CompiledServer }
  readonly #origin: string
  readonly #prefix: string
  /** Where path and query have no variables, either. */
  readonly #target: string | null
  /** Headers up to the cookies, the first after the target. */
  readonly #head: readonly Piece[]
  /** All of it but the cookies, where no variables are in it. */
  readonly #constant: Wire | null
  readonly #query: readonly Piece[]
  /** Path and query, where they can be filled in without being looked at as a whole. */
  readonly #plainTarget: { path: readonly TemplatePart[]; query: readonly TemplatePart[] } | null
  /** From the cookies on, where no variables are in the body. */
  readonly #end: string | null

  private constructor(
    parts: RequestParts & { server: CompiledServer },
    base: URL | null,
    head: readonly Piece[],
  ) {
    this.#parts = parts
    this.base = base
    this.#prefix = base === null ? '' : base.pathname.replace(/\/$/, '')
    this.#head = head.map((piece) => (typeof piece === 'string' ? flat(piece) : piece))
    this.#origin = base?.origin ?? ''
    const { path, query, server } = parts
    this.#target =
      base !== null && isConstant(path, query) ? targetOf(constantAddress(server, path, query)) : null
    const { body } = parts.action
    const isConstantText =
      (body?.type === 'raw' || body?.type === 'json') && !body.text.includes('$') && body.text.length < 1e6
    const constantBody = body === null ? '' : isConstantText ? asBytes(Buffer.from(body.text)) : null
    this.#query = queryPieces(query)
    this.#plainTarget = base === null ? null : plainParts(this.#prefix, path, query)
    this.#end = constantBody === null ? null : flat(endOf(parts.action.method, constantBody))
    const [only] = head
    this.#constant =
      this.#target !== null && this.#end !== null && head.length === 1 && typeof only === 'string'
        ? {
            url: null,
            target: this.#target,
            text: flat(`${parts.action.method} ${this.#target}${only}${this.#end}`),
          }
        : null
  }

  /** Undefined for what only the client of the checks can do: files, digests, HTTP/2, resources, hosts and cookies by hand. */
  static of(parts: RequestParts, userAgent: string): RequestWriter | undefined {
    const { action, server, path, query, headers } = parts
    if (server === undefined || server.transport.isHttp2 || server.authentication.type === 'digest')
      return undefined
    if (action.resources.mode !== 'none' || action.body?.type === 'multipart' || action.body?.type === 'file')
      return undefined
    const own = ownHeaders(server, headers)
    if (own === undefined) return undefined
    const names = new Set(own.map(([name]) => name.toLowerCase()))
    if (names.has('host') || names.has('cookie')) return undefined
    const base = typeof server.baseUrl === 'string' ? URL.parse(server.baseUrl) : null
    if (typeof server.baseUrl === 'string' && base === null) return undefined
    if (base !== null && (base.username !== '' || base.password !== '')) return undefined
    try {
      if (base !== null && isConstant(path, query)) {
        // A whole address instead of a path leads elsewhere.
        if (constantAddress(server, path, query).origin !== base.origin) return undefined
      }
    } catch {
      return undefined
    }
    const usual = [
      ...(base === null ? [] : [['host', base.host] as const]),
      ['connection', connectionHeader(server.transport)] as const,
      ...(
        [
          ['user-agent', userAgent],
          ['accept', '*/*'],
          ['accept-encoding', acceptedEncodings],
        ] as const
      ).filter(([name]) => !names.has(name)),
    ]
    const contentType = contentTypeOf(action.body)
    const all: [string, CompiledTemplate][] = [
      ...usual.map(([name, value]): [string, CompiledTemplate] => [name, value]),
      ...own,
    ]
    if (contentType !== null && !names.has('content-type')) all.push(['content-type', contentType])
    const pieces: Piece[] = [' HTTP/1.1\r\n']
    for (const [name, value] of all) {
      if (badInName.test(name) || name === '') return undefined
      if (typeof value === 'string') {
        const text = asLatin1(value)
        if (badInValue.test(text)) return undefined
        append(pieces, `${name}: ${text}\r\n`)
      } else {
        append(pieces, `${name}: `)
        const isAscii = value.every((part) => typeof part !== 'string' || !badInHeaderText.test(part))
        pieces.push((user) => {
          const plain = isAscii ? plainText(value, user, headerCharacters) : undefined
          return plain ?? checked(user.expand(value))
        })
        append(pieces, '\r\n')
      }
    }
    if (server.authentication.type !== 'none' && !names.has('authorization')) {
      const { authentication } = server
      append(pieces, 'authorization: ')
      pieces.push((user) =>
        checked(
          authentication.type === 'bearer'
            ? bearerAuthorization(user.expand(authentication.token))
            : basicAuthorization({
                userName: user.expand(authentication.userName),
                password: user.expand(authentication.password),
              }),
        ),
      )
      append(pieces, '\r\n')
    }
    return new RequestWriter({ ...parts, server }, base, pieces)
  }

  /**
   * @throws ActionFailure where a variable has no value, or no address comes of it
   * @throws NotPlain
   */
  write(user: User): Wire {
    if (this.#constant !== null && user.httpIfUsed === undefined) return this.#constant
    const { method } = this.#parts.action
    const plain = this.#target ?? this.#plainTargetFor(user)
    const { url, target } = plain === undefined ? this.#addressFor(user) : { url: null, target: plain }
    const end = this.#end ?? endOf(method, this.#body(user))
    let text = `${method} ${target}`
    for (const piece of this.#head) text += typeof piece === 'string' ? piece : piece(user)
    if (url !== null) text += `host: ${url.host}\r\n`
    const cookies = user.httpIfUsed?.cookies
    if (cookies) {
      const origin = url === null ? this.#origin : url.origin
      const cookie = cookies.sessionHeader(origin) ?? checked(cookies.header(origin + target))
      if (cookie !== '') text += `cookie: ${cookie}\r\n`
    }
    return { url, target, text: text + end }
  }

  #plainTargetFor(user: User): string | undefined {
    if (this.#plainTarget === null) return undefined
    const path = plainText(this.#plainTarget.path, user, pathCharacters)
    const query = path === undefined ? undefined : plainText(this.#plainTarget.query, user, queryCharacters)
    return query === undefined ? undefined : `${path}${query}`
  }

  #addressFor(user: User): { url: URL | null; target: string } {
    const { server, path } = this.#parts
    const base = baseOf(server, user.expand)
    const asked = user.expand(path)
    let pairs = ''
    for (const piece of this.#query) pairs += typeof piece === 'string' ? piece : piece(user)
    const target = this.#prefix + asked + (pairs === '' ? '' : (asked.includes('?') ? '&' : '?') + pairs)
    if (this.base !== null && asked.startsWith('/') && isPlainTarget(target)) return { url: null, target }
    const url = addressOf(server, base, asked, pairs)
    if (this.base !== null && url.origin !== this.base.origin) throw new NotPlain()
    return { url: this.base === null ? url : null, target: targetOf(url) }
  }

  #body(user: User): string {
    const { makeBody } = this.#parts
    const made = makeBody?.({ expand: user.expand, openFile: user.plan.openFile, random: user.random })
    if (made === undefined) return ''
    if (made instanceof Promise)
      throw new TypeError('A body that waits for a file is none of a plain request.')
    return asBytes(made.bytes)
  }
}

function isPlainTarget(text: string): boolean {
  return plainTarget.test(text) && !text.includes('/.')
}

/**
 * Path and query, with what stands between variables made ready to be sent. Null where more has to be done than to put in values of
 * plain characters.
 */
function plainParts(
  prefix: string,
  path: CompiledTemplate,
  query: readonly CompiledField[],
): { path: TemplatePart[]; query: TemplatePart[] } | null {
  const all = partsOf(path)
  const asked = all.map(shown).join('')
  if (!asked.startsWith('/') || !isPlainTarget(prefix + asked)) return null
  const encodedParts = (template: CompiledTemplate): TemplatePart[] =>
    partsOf(template).map((part) => (typeof part === 'string' ? encoded(part) : part))
  const pairs = query.flatMap(([name, value], place): TemplatePart[] => [
    place > 0 ? '&' : asked.includes('?') ? '&' : '?',
    ...encodedParts(name),
    '=',
    ...encodedParts(value),
  ])
  if (!isPlainTarget(prefix + asked + pairs.map(shown).join(''))) return null
  return { path: joined([prefix, ...all]), query: joined(pairs) }
}

const partsOf = (template: CompiledTemplate): readonly TemplatePart[] =>
  typeof template === 'string' ? [template] : template

/** With a value that is as plain as can be. */
const shown = (part: TemplatePart) => (typeof part === 'string' ? part : 'x')

/** Texts that follow one another as one. */
function joined(parts: readonly TemplatePart[]): TemplatePart[] {
  const whole: TemplatePart[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (typeof part === 'string' && typeof last === 'string') whole[whole.length - 1] = last + part
    else whole.push(part)
  }
  return whole.map((part) => (typeof part === 'string' ? flat(part) : part))
}

/** As one piece of memory: a text that was put together is put together again for each write otherwise. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** What encoding leaves as it is. */
const needsNoEncoding = /^[\w.~-]*$/

/** As `queryOf` makes it. */
function queryPieces(query: readonly CompiledField[]): Piece[] {
  const pieces: Piece[] = []
  const add = (template: CompiledTemplate) => {
    if (typeof template === 'string') append(pieces, encoded(template))
    else
      pieces.push((user) => {
        const value = user.expand(template)
        return needsNoEncoding.test(value) ? value : encoded(value)
      })
  }
  for (const [place, [name, value]] of query.entries()) {
    if (place > 0) append(pieces, '&')
    add(name)
    append(pieces, '=')
    add(value)
  }
  return pieces
}

function connectionHeader({ keepsAlive }: Transport): string {
  return keepsAlive ? 'keep-alive' : 'close'
}

/** A request that a redirect asks for. `headers`: without those that are made anew for each request. */
export function writeRequest(
  method: string,
  url: URL,
  transport: Transport,
  headers: HeaderList,
  body: string,
  cookie: string,
): Wire {
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const target = targetOf(url)
  const head = `${method} ${target} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: ${connectionHeader(transport)}\r\n${fields}`
  const text = cookie === '' ? head : `${head}cookie: ${cookie}\r\n`
  return { url, target, text: text + endOf(method, body) }
}

/** What was sent, taken apart: headers without those that are made anew for each request, and the body. */
export function readRequest(text: string): { headers: HeaderList; body: string } {
  const end = text.indexOf('\r\n\r\n')
  const headers = text
    .slice(0, end)
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 2)]
    })
    .filter(([name]) => !/^(?:host|connection|cookie|content-length)$/i.test(name))
  return { headers, body: text.slice(end + 4) }
}

/** What follows the cookies: the length of the body, and the body. */
function endOf(method: string, body: string): string {
  if (body !== '') return `content-length: ${body.length}\r\n\r\n${body}`
  return expectsBody.test(method) ? 'content-length: 0\r\n\r\n' : '\r\n'
}

function asBytes(bytes: Buffer): string {
  return bytes.toString('latin1')
}

function checked(value: string): string {
  const text = asLatin1(value)
  if (badInValue.test(text)) throw new NotPlain()
  return text
}

/** Fields whose names have no variables in them. */
const named = (fields: readonly CompiledField[]) =>
  fields.flatMap(([name, value]): [string, CompiledTemplate][] =>
    typeof name === 'string' ? [[name, value]] : [],
  )

/** Those of the server, and those of the request instead of them; undefined where a name has variables in it. */
function ownHeaders(
  server: CompiledServer,
  headers: readonly CompiledField[],
): [string, CompiledTemplate][] | undefined {
  const own = named(headers)
  const ofServer = named(server.headers)
  if (own.length !== headers.length || ofServer.length !== server.headers.length) return undefined
  const names: HeaderList = own.map(([name]) => [name, ''])
  return [...ofServer.filter(([name]) => headerOf(names, name) === undefined), ...own].filter(
    ([name]) => !framingHeaders.test(name),
  )
}

function contentTypeOf(body: RequestParts['action']['body']): string | null {
  switch (body?.type) {
    case 'form':
      return 'application/x-www-form-urlencoded'
    case 'raw':
    case 'json':
    case 'base64':
      return body.content_type
    default:
      return null
  }
}

function append(pieces: Piece[], text: string): void {
  const last = pieces.at(-1)
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text
  else pieces.push(text)
}

function isConstant(path: CompiledTemplate, query: readonly CompiledField[]): boolean {
  return typeof path === 'string' && query.flat().every((template) => typeof template === 'string')
}

const constantText = (template: CompiledTemplate) => (typeof template === 'string' ? template : '')

/** Of templates without variables. */
function constantAddress(
  server: CompiledServer,
  path: CompiledTemplate,
  query: readonly CompiledField[],
): URL {
  return addressOf(server, constantText(server.baseUrl), constantText(path), queryOf(query, constantText))
}

function targetOf(url: URL): string {
  return `${url.pathname}${url.search}`
}
