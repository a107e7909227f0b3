import type { HttpRequest } from '../../model/action.ts'
import type { Assertion } from '../../model/assertion.ts'
import type { Extractor } from '../../model/extractor.ts'
import type { HttpServer } from '../../model/http-server.ts'
import type { Field } from '../../model/template.ts'
import { straightPath } from './json-path.ts'
import { expression, fileOf, indented, noteFor, quote, type Work } from './work.ts'

type Note = (text: string) => void

/** Statements that send a request, check what comes back, and take values out of it. */
export function requestLines(work: Work, action: HttpRequest): string[] {
  const note = noteFor(work, action.id)
  const server = work.servers.get(action.server_id)
  if (server === undefined) note('Its server is not known: write the address.')
  const { mode, list } = action.resources
  if (mode === 'parsed') note('k6 asks for no resources that a page embeds.')
  const checks = [
    ...(action.assertions.some(({ type, enabled }) => type === 'status' && enabled)
      ? []
      : [`'the status is below 400': (r) => r.status > 0 && r.status < 400,`]),
    ...action.assertions
      .filter(({ enabled }) => enabled)
      .flatMap((each, index) => checkLine(each, index, note)),
  ]
  const listed = mode === 'listed' ? list.filter(({ enabled }) => enabled) : []
  const { body, type, setup } = bodyOf(work, action, note)
  return [
    '{',
    ...indented([
      ...setup,
      `const response = http.request(`,
      ...indented([
        `${quote(action.method)},`,
        `${addressOf(action, server)},`,
        `${body},`,
        `${parametersOf(action, server, type)},`,
      ]),
      ')',
      'check(response, {',
      ...indented(checks),
      '})',
      ...action.extractors.filter(({ enabled }) => enabled).flatMap((each) => extractLine(each, note)),
      ...(listed.length === 0
        ? []
        : [
            'http.batch([',
            ...indented(
              listed.map((resource) => {
                const base = work.servers.get(resource.server_id)?.base_url ?? ''
                const params = `{ headers: ${headersOf(resource.headers)} }`
                return `['GET', ${joined(base, resource.path)}, null, ${params}],`
              }),
            ),
            '])',
          ]),
    ]),
    '}',
  ]
}

function joined(base: string, path: string): string {
  return expression(`${base.replace(/\/$/, '')}${path.startsWith('/') ? '' : '/'}${path}`)
}

function addressOf({ path, query }: HttpRequest, server: HttpServer | undefined): string {
  const credentials = server?.authentication
  const base = server?.base_url ?? ''
  const address =
    credentials?.type === 'digest'
      ? `${quote(base.replace(/:\/\/.*/, '://'))} + encodeURIComponent(${expression(credentials.user_name)}) + ':' + encodeURIComponent(${expression(credentials.password)}) + '@' + ${joined(base.replace(/^https?:\/\//, ''), path)}`
      : joined(base, path)
  return query.length === 0
    ? address
    : `${address} + '${path.includes('?') ? '&' : '?'}' + encoded(${pairs(query)})`
}

function pairs(fields: readonly Field[]): string {
  return `[${fields.map(({ name, value }) => `[${expression(name)}, ${expression(value)}]`).join(', ')}]`
}

function headersOf(fields: readonly Field[]): string {
  if (fields.length === 0) return '{}'
  return `{ ${fields.map(({ name, value }) => `[${expression(name)}]: ${expression(value)}`).join(', ')} }`
}

function parametersOf(action: HttpRequest, server: HttpServer | undefined, type: string | null): string {
  const names = new Set(action.headers.map(({ name }) => name.toLowerCase()))
  const credentials = server?.authentication
  const authorization =
    credentials?.type === 'bearer'
      ? [`Authorization: 'Bearer ' + ${expression(credentials.token)}`]
      : credentials?.type === 'basic'
        ? [
            `Authorization: 'Basic ' + encoding.b64encode(${expression(credentials.user_name)} + ':' + ${expression(credentials.password)})`,
          ]
        : []
  const all = [
    ...(server?.headers ?? []).filter(({ name }) => !names.has(name.toLowerCase())),
    ...action.headers,
  ].map(({ name, value }) => `[${expression(name)}]: ${expression(value)}`)
  const headers = [
    ...(names.has('authorization') ? [] : authorization),
    ...(type === null || names.has('content-type') ? [] : [`'Content-Type': ${type}`]),
    ...all,
  ]
  const timeoutMs = action.timeout_ms ?? server?.timeout_ms ?? 120_000
  return `{ ${[
    `headers: {${headers.length === 0 ? '' : ` ${headers.join(', ')} `}}`,
    `redirects: ${action.redirects.follow ? action.redirects.max : 0}`,
    `timeout: ${timeoutMs}`,
    ...(credentials?.type === 'digest' ? [`auth: 'digest'`] : []),
    ...(action.name === '' ? [] : [`tags: { name: ${quote(action.name)} }`]),
  ].join(', ')} }`
}

interface Sent {
  body: string
  /** An expression for the Content-Type; null where k6 writes it, or none is to be written. */
  type: string | null
  setup: string[]
}

function bodyOf(work: Work, { body }: HttpRequest, note: Note): Sent {
  if (body === null) return { body: 'null', type: null, setup: [] }
  switch (body.type) {
    case 'raw':
    case 'json':
      return {
        body: expression(body.text),
        type: body.content_type === null ? null : quote(body.content_type),
        setup: [],
      }
    case 'form':
      return {
        body: `encoded(${pairs(body.fields)})`,
        type: `'application/x-www-form-urlencoded'`,
        setup: [],
      }
    case 'file':
      note(`Put ${body.path} beside the script.`)
      return { body: fileOf(work, body.path), type: quote(body.content_type), setup: [] }
    case 'base64':
      return {
        body: `encoding.b64decode(${quote(body.data)})`,
        type: body.content_type === null ? null : quote(body.content_type),
        setup: [],
      }
    default: {
      const { parts } = body
      if (!parts.some(({ type }) => type === 'file')) {
        const fields = parts.flatMap((part) =>
          part.type === 'field'
            ? [
                `[${expression(part.name)}, ${expression(part.value)}, ${part.content_type === null ? 'null' : quote(part.content_type)}]`,
              ]
            : [],
        )
        return {
          body: `multipart(boundary, [${fields.join(', ')}])`,
          type: `'multipart/form-data; boundary=' + boundary`,
          setup: [`const boundary = 'part' + Math.random().toString(36).slice(2)`],
        }
      }
      if (new Set(parts.map(({ name }) => name)).size < parts.length)
        note('Of several parts with one name k6 sends the last.')
      const entries = parts.map((part) => {
        if (part.type === 'field') return `[${expression(part.name)}]: ${expression(part.value)}`
        note(`Put ${part.path} beside the script.`)
        const name =
          part.file_name === null ? quote(part.path.replace(/^.*\//, '')) : expression(part.file_name)
        return `[${expression(part.name)}]: http.file(${fileOf(work, part.path)}, ${name}, ${quote(part.content_type)})`
      })
      return { body: `{ ${entries.join(', ')} }`, type: null, setup: [] }
    }
  }
}

function checkLine(assertion: Assertion, index: number, note: Note): string[] {
  const asked = question(assertion, note)
  if (asked === undefined) return []
  const [words, test] = asked
  const name = assertion.message ?? `${index + 1}: ${assertion.negate ? 'not: ' : ''}${words}`
  return [`${quote(name)}: (r) => ${assertion.negate ? `!(${test})` : test},`]
}

/** What is asked, in words and in JavaScript. */
function question(assertion: Assertion, note: Note): [words: string, test: string] | undefined {
  const body = `String(r.body || '')`
  switch (assertion.type) {
    case 'status':
      return [`status ${assertion.allowed.join(' or ')}`, `isStatus(r, ${JSON.stringify(assertion.allowed)})`]
    case 'body_contains':
      return ['the body contains a text', `${body}.includes(${expression(assertion.text)})`]
    case 'body_equals':
      return ['the body is a text', `${body} === (${expression(assertion.text)})`]
    case 'body_matches':
      return [
        'the body matches',
        `new RegExp(${quote(assertion.pattern)}, ${quote(assertion.flags)}).test(${body})`,
      ]
    case 'json_path': {
      const path = straightPath(assertion.path)
      if (path === undefined) {
        note(`k6 cannot follow the path ${assertion.path}: it is not checked.`)
        return undefined
      }
      const found = `atPath(r, ${JSON.stringify(path)})`
      return assertion.equals === null
        ? [`${assertion.path} is there`, `${found}.length > 0`]
        : [`${assertion.path} is as expected`, `${found}.includes(${expression(assertion.equals)})`]
    }
    case 'xpath':
      note('k6 reads no XPath: it is not checked.')
      return undefined
    case 'header': {
      const found = `header(r, ${quote(assertion.name)})`
      const expected = expression(assertion.value)
      const tests = {
        exists: `${found}.length > 0`,
        equals: `${found}.includes(${expected})`,
        contains: `${found}.some((each) => each.includes(${expected}))`,
        matches: `${found}.some((each) => new RegExp(${expected}).test(each))`,
      }
      return [`header ${assertion.name}`, tests[assertion.comparison]]
    }
    case 'size': {
      note('The size of a body is counted in characters.')
      const { min_bytes: min, max_bytes: max } = assertion
      const limits = [
        ...(min === null ? [] : [`${body}.length >= ${min}`]),
        ...(max === null ? [] : [`${body}.length <= ${max}`]),
      ]
      return ['the size', limits.join(' && ') || 'true']
    }
    default:
      return [`within ${assertion.max_ms} ms`, `r.timings.duration <= ${assertion.max_ms}`]
  }
}

function extractLine(extractor: Extractor, note: Note): string[] {
  const found = finding(extractor, note)
  if (found === undefined) return []
  const standard = extractor.default === null ? 'null' : expression(extractor.default)
  return [`keep(${quote(extractor.variable)}, ${found}, ${JSON.stringify(extractor.match)}, ${standard})`]
}

const parts = {
  body: 'response.body',
  headers: 'headerText(response)',
  url: 'response.url',
  status_line: 'response.status_text',
}

/** An expression for the list of what an extractor finds. */
function finding(extractor: Extractor, note: Note): string | undefined {
  switch (extractor.type) {
    case 'regex':
      return `matches(${parts[extractor.part]}, ${quote(extractor.pattern)}, ${quote(extractor.flags)}, ${extractor.group})`
    case 'boundaries':
      return `between(${parts[extractor.part]}, ${quote(extractor.left)}, ${quote(extractor.right)})`
    case 'json_path': {
      const path = straightPath(extractor.path)
      if (path === undefined)
        note(`k6 cannot follow the path ${extractor.path}: ${extractor.variable} gets no value.`)
      return path === undefined ? undefined : `atPath(response, ${JSON.stringify(path)})`
    }
    case 'css':
      return `selected(response, ${quote(extractor.selector)}, ${extractor.attribute === null ? 'null' : quote(extractor.attribute)})`
    case 'header':
      return `header(response, ${quote(extractor.name)})`
    case 'cookie':
      return `(response.cookies[${quote(extractor.name)}] || []).map((cookie) => cookie.value)`
    default:
      note(`k6 reads no XPath: ${extractor.variable} gets no value.`)
      return undefined
  }
}
