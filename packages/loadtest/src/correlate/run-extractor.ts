import { query } from 'json-p3'
import { jsonExcess } from '../json/json-excess.ts'
import { mayHoldLargeNumbers, parseWritten, valueAt } from '../json/written-json.ts'
import type { Extractor } from '../model/extractor.ts'
import type { Exchange } from '../recording/exchange.ts'
import { tagsOf } from './html-tags.ts'

type Input<Type extends Extractor['type']> = Extract<Extractor, { type: Type }>

/** How a value is found in an answer, without what it is for. */
export type Finder =
  | Pick<Input<'regex'>, 'type' | 'pattern' | 'flags' | 'part'>
  | Pick<Input<'json_path'>, 'type' | 'path'>
  | Pick<Input<'css'>, 'type' | 'selector' | 'attribute'>
  | Pick<Input<'boundaries'>, 'type' | 'left' | 'right' | 'part'>
  | Pick<Input<'header'>, 'type' | 'name'>
  | Pick<Input<'cookie'>, 'type' | 'name'>

/** Body as text; undefined where there is none, or it is no text. */
export function bodyText({ response }: Exchange): string | undefined {
  const body = response?.body
  return body?.encoding === 'text' ? (body.content ?? undefined) : undefined
}

/** What a finder takes from an answer, as the interpreter does; undefined where it finds nothing. */
export function find(finder: Finder, exchange: Exchange): string | undefined {
  const { response } = exchange
  if (response === null) return undefined
  switch (finder.type) {
    case 'header':
      return response.headers.find(({ name }) => name.toLowerCase() === finder.name.toLowerCase())?.value
    case 'cookie':
      return setCookies(exchange).find(({ name }) => name === finder.name)?.value
    case 'json_path':
      return findJson(finder.path, exchange)
    case 'css':
      return findTag(finder.selector, finder.attribute, bodyText(exchange))
    case 'regex':
      return new RegExp(finder.pattern, finder.flags).exec(partOf(finder.part, exchange) ?? '')?.[1]
    default:
      return between(partOf(finder.part, exchange) ?? '', finder.left, finder.right)
  }
}

function partOf(part: 'body' | 'headers' | 'url' | 'status_line', exchange: Exchange): string | undefined {
  const { request, response } = exchange
  if (part === 'url') return request.url
  if (part === 'body') return bodyText(exchange)
  if (part === 'status_line') return `${response?.status} ${response?.statusText}`
  return response?.headers.map(({ name, value }) => `${name}: ${value}`).join('\r\n')
}

function between(text: string, left: string, right: string): string | undefined {
  const start = text.indexOf(left)
  const end = start < 0 ? -1 : text.indexOf(right, start + left.length)
  return end < 0 ? undefined : text.slice(start + left.length, end)
}

function findJson(path: string, exchange: Exchange): string | undefined {
  const body = jsonBody(exchange)
  if (body === undefined) return undefined
  try {
    const [node] = query(path, body.root).nodes
    if (node === undefined) return undefined
    const { value, location } = node
    return typeof value === 'string' ? value : JSON.stringify(valueAt(body.written, location))
  } catch {
    return undefined
  }
}

interface JsonBody {
  root: Parameters<typeof query>[1]
  /** The same, as `parseWritten` reads it. */
  written: unknown
}

/** Bodies are asked for several values, and read once. */
const readBodies = new WeakMap<Exchange, { body: JsonBody | undefined }>()

/** The body as JSON; undefined where it is none. */
export function jsonBody(exchange: Exchange): JsonBody | undefined {
  const known = readBodies.get(exchange)
  if (known !== undefined) return known.body
  const body = readJson(bodyText(exchange))
  readBodies.set(exchange, { body })
  return body
}

/** More levels than any answer has in which values are looked for. */
const levelsMax = 1000

function readJson(text: string | undefined): JsonBody | undefined {
  if (text === undefined || !/^\s*[[{]/.test(text)) return undefined
  if (jsonExcess(text, levelsMax) !== undefined) return undefined
  try {
    const root = JSON.parse(text)
    return { root, written: mayHoldLargeNumbers(text) ? parseWritten(text) : root }
  } catch {
    return undefined
  }
}

/** Selectors that are made here only: `input[name="csrf"]`. */
const ownSelector = /^([a-z]+)\[([\w-]+)="((?:[^"\\]|\\.)*)"\]$/

function findTag(selector: string, attribute: string | null, text: string | undefined): string | undefined {
  const [, tagName, name = '', value = ''] = ownSelector.exec(selector) ?? []
  if (tagName === undefined || attribute === null || text === undefined) return undefined
  const wanted = value.replaceAll(/\\(.)/g, '$1')
  for (const tag of tagsOf(text)) {
    if (tag.name === tagName && tag.attributes.get(name) === wanted) return tag.attributes.get(attribute)
  }
  return undefined
}

/** Cookies that an answer sets, as they are written: not decoded. */
export function setCookies({ response }: Exchange): { name: string; value: string }[] {
  return (response?.headers ?? []).flatMap((header) => {
    if (header.name.toLowerCase() !== 'set-cookie') return []
    // Recordings that had them in one field divide them by line breaks.
    return header.value.split('\n').flatMap((line) => {
      const [pair = ''] = line.split(';')
      const equals = pair.indexOf('=')
      return equals < 1 ? [] : [{ name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() }]
    })
  })
}
