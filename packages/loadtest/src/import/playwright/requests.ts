import type { HttpRequest } from '../../model/action.ts'
import type { RequestBody } from '../../model/request.ts'
import { type Field, filePath } from '../../model/template.ts'
import { own } from '../browser/own.ts'
import { Unmapped } from '../browser/telling.ts'
import { comparedBy, truthOf } from './expectations.ts'
import { type Arguments, asText, type Reading, unknownValue, type Value } from './values.ts'

type Note = (text: string) => void

/** Methods of `request` that send something, with what they send. */
export const requestMethods: Readonly<Record<string, HttpRequest['method']>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  head: 'HEAD',
}

/** Method of `request.fetch(url, { method })`. */
export function fetchMethod(given: Arguments): HttpRequest['method'] {
  const method = asText(given.option('method') ?? { kind: 'nothing' })?.template.toLowerCase() ?? 'get'
  const known = own(requestMethods, method)
  if (known === undefined)
    throw new Unmapped(`Requests with the method "${method.slice(0, 20)}" cannot be imported.`)
  return known
}

/** What a call says of its request (https://playwright.dev/docs/api/class-apirequestcontext). */
export interface RequestParts {
  query: Field[]
  headers: Field[]
  body: RequestBody | null
  timeoutMs: number | null
  maxRedirects: number | undefined
}

export function requestParts(given: Arguments, note: Note): RequestParts {
  const timeout = given.number('timeout')
  for (const name of ['failOnStatusCode', 'maxRetries']) given.option(name)
  return {
    query: fieldsOf(given.option('params')),
    headers: fieldsOf(given.option('headers')),
    body: bodyOf(given, note),
    timeoutMs: timeout === undefined || timeout < 1 ? null : Math.round(timeout),
    maxRedirects: given.number('maxRedirects'),
  }
}

/** An assertion for what a test expects of a response: its status, its body, or a value in it. */
export function assertResponse(
  reading: Reading,
  request: HttpRequest,
  id: string,
  matcher: string,
  negate: boolean,
  given: Arguments,
): void {
  const common = { id, message: null, enabled: true }
  if (reading.what === 'ok') {
    const isOpposite = !truthOf(matcher, given)
    request.assertions.push({ ...common, type: 'status', allowed: ['2xx'], negate: negate !== isOpposite })
    return
  }
  const value = given.at(0)
  if (reading.what === 'status') {
    const { comparison, expected } = comparedBy(matcher, given)
    if (comparison !== 'equals' || !/^[1-5]\d\d$/.test(expected)) throw unknownValue(value)
    request.assertions.push({ ...common, type: 'status', allowed: [expected], negate })
    return
  }
  if (value?.kind === 'regex') {
    const flags = value.flags.replaceAll(/[^ims]/g, '')
    request.assertions.push({ ...common, type: 'body_matches', pattern: value.source, flags, negate })
    return
  }
  const { comparison, expected } = comparedBy(matcher, given)
  const type = comparison === 'equals' ? 'body_equals' : 'body_contains'
  request.assertions.push({ ...common, type, text: expected, negate })
}

/** An assertion for what a test expects of a value in a JSON body. */
export function assertJson(
  request: HttpRequest,
  path: string,
  id: string,
  matcher: string,
  negate: boolean,
  given: Arguments,
): void {
  const isThere = /^toBe(?:Defined|Truthy)$/.test(matcher)
  const value = given.at(0)
  if (matcher === 'toHaveProperty') {
    const inner = asText(value)
    if (inner === undefined || !/^[\w.]+$/.test(inner.plain)) throw unknownValue(value)
    const expected = asText(given.at(1))?.template ?? null
    request.assertions.push({ ...assertion(id, negate), path: `${path}.${inner.plain}`, equals: expected })
    return
  }
  const { comparison, expected } = isThere
    ? { comparison: 'equals', expected: null }
    : comparedBy(matcher, given)
  if (comparison !== 'equals')
    throw new Unmapped('Of a value in JSON, only whether it equals something can be asserted.')
  request.assertions.push({ ...assertion(id, negate), path, equals: expected })
}

function assertion(id: string, negate: boolean) {
  return { type: 'json_path' as const, id, message: null, enabled: true, negate }
}

/** Path of a member: `$.items[0]['two words']`. */
export function memberPath(path: string, name: string): string {
  if (/^\d+$/.test(name)) return `${path}[${name}]`
  return /^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
}

function bodyOf(given: Arguments, note: Note): RequestBody | null {
  const data = given.option('data')
  if (data !== undefined && asText(data) === undefined)
    return { type: 'json', text: jsonOf(data), content_type: 'application/json' }
  if (data !== undefined) return { type: 'raw', text: asText(data)!.template, content_type: null }
  const form = given.option('form')
  if (form !== undefined) return { type: 'form', fields: fieldsOf(form) }
  const multipart = given.option('multipart')
  return multipart === undefined ? null : { type: 'multipart', parts: partsOf(multipart, note) }
}

function partsOf(value: Value, note: Note): Extract<RequestBody, { type: 'multipart' }>['parts'] {
  if (value.kind !== 'record') throw unknownValue(value)
  return [...value.entries].map(([name, part]) => {
    if (part.kind !== 'record') return { type: 'field', name, value: textOf(part), content_type: null }
    const path = asText(part.entries.get('name'))?.plain ?? ''
    if (!filePath.safeParse(path).success) throw unknownValue(part)
    note(`Upload the project file "${path}".`)
    const contentType = asText(part.entries.get('mimeType'))?.plain ?? 'application/octet-stream'
    return { type: 'file', name, path, file_name: null, content_type: contentType }
  })
}

function fieldsOf(value: Value | undefined): Field[] {
  if (value === undefined) return []
  if (value.kind !== 'record') throw unknownValue(value)
  return [...value.entries].map(([name, entry]) => ({ name, value: textOf(entry) }))
}

function textOf(value: Value): string {
  const text = asText(value)
  if (text === undefined) throw unknownValue(value)
  return text.template
}

/** JSON with templates in its texts. */
function jsonOf(value: Value): string {
  if (value.kind === 'text') return JSON.stringify(value.template)
  if (value.kind === 'number') return JSON.stringify(value.number)
  if (value.kind === 'boolean') return JSON.stringify(value.isTrue)
  if (value.kind === 'nothing') return 'null'
  if (value.kind === 'list') return `[${value.items.map(jsonOf).join(',')}]`
  if (value.kind !== 'record') throw unknownValue(value)
  const entries = [...value.entries].map(([name, entry]) => `${JSON.stringify(name)}:${jsonOf(entry)}`)
  return `{${entries.join(',')}}`
}
