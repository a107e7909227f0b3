import { escapeRegex } from '../text/escape-regex.ts'
import { redacted } from '../text/redactor.ts'
import { writtenNumber } from '../json/written-json.ts'
import type { Exchange } from '../recording/exchange.ts'
import { type Encoding, formsOf, receivedEncodings } from './encodings.ts'
import { isWholeWord } from './find-uses.ts'
import { tagsOf } from './html-tags.ts'
import { bodyText, find, type Finder, jsonBody, setCookies } from './run-extractor.ts'
import type { SentValue } from './sent-values.ts'

export type PlaceKind =
  | 'hidden_input'
  | 'meta'
  | 'json'
  | 'header'
  | 'cookie'
  | 'location'
  | 'script'
  | 'link'
  | 'attribute'
  | 'text'

/** Where a value stands in an answer, with what finds exactly it there. */
export interface FoundPlace {
  kind: PlaceKind
  /** Of the input, member, header, cookie or parameter; empty where it has none. */
  name: string
  /** The text around it, cut. */
  snippet: string
  finder: Finder
  /** How the value that is found has to be read to be the one that is sent; null: it is that already. */
  decode: Encoding | null
}

/** The better, the surer it is found again when the answer changes. */
export const placeQuality: Record<PlaceKind, number> = {
  hidden_input: 7,
  json: 6,
  meta: 6,
  header: 5,
  cookie: 5,
  location: 4,
  script: 4,
  attribute: 3,
  link: 2,
  text: 1,
}

/** Values to look for, by their anchor. */
export type Wanted = ReadonlyMap<string, readonly SentValue[]>

export interface SearchOptions {
  /** Also the address that answered: it came by a redirect. */
  withUrl: boolean
}

/** Headers whose values no request sends back. */
const deafHeaders =
  /^(?:set-cookie|date|content-.*|cache-control|expires|age|vary|server|via|connection|keep-alive|transfer-encoding|last-modified|etag|strict-.*|x-powered-by|accept-ranges|report-to|nel|alt-svc|p3p|pragma|access-control-.*)$/i

/** The best place in an answer of each value that stands there. */
export function findPlaces(
  exchange: Exchange,
  wanted: Wanted,
  { withUrl }: SearchOptions,
): Map<SentValue, FoundPlace> {
  const places = new Map<SentValue, FoundPlace>()
  const { request, response } = exchange
  if (response === null) return places

  /** Keeps a place that is better than the one there is, if what it would find is the value. */
  function offer(sent: SentValue, place: FoundPlace): void {
    const known = places.get(sent)
    if (known !== undefined && placeQuality[known.kind] >= placeQuality[place.kind]) return
    // Beside a secret that the recording does not have.
    if (JSON.stringify(place.finder).includes(redacted)) return
    const found = find(place.finder, exchange)
    const form = place.decode === null ? sent.value : formsOf(sent.value, [place.decode]).at(-1)?.text
    if (found === form) places.set(sent, place)
  }

  /** Offers a place for each wanted value that is the whole of a text, in any form. */
  function offerWhole(text: string, place: Omit<FoundPlace, 'decode'>): void {
    for (const hit of hitsIn(text, wanted))
      if (hit.start === 0 && hit.end === text.length) offer(hit.sent, { ...place, decode: hit.encoding })
  }

  for (const { name, value } of setCookies(exchange))
    offerWhole(value, {
      kind: 'cookie',
      name,
      snippet: cut(`${name}=${value}`),
      finder: { type: 'cookie', name },
    })
  for (const { name, value } of response.headers) {
    if (deafHeaders.test(name)) continue
    const snippet = cut(`${name}: ${value}`)
    offerWhole(value, { kind: 'header', name, snippet, finder: { type: 'header', name } })
    for (const hit of hitsIn(value, wanted)) {
      const kind = name.toLowerCase() === 'location' ? 'location' : 'header'
      offerInAddress(value, hit, { kind, header: name }, offer)
    }
  }
  if (withUrl)
    for (const hit of hitsIn(request.url, wanted))
      offerInAddress(request.url, hit, { kind: 'location', header: undefined }, offer)

  const text = bodyText(exchange)
  if (text === undefined) return places
  const json = jsonBody(exchange)
  if (json !== undefined)
    for (const { value, path, name } of jsonLeaves(json.written)) {
      const snippet = cut(`${path}: ${value}`)
      // Without escapes: JSON has been read.
      for (const { sent, start, end, encoding } of hitsIn(value, wanted))
        if (start === 0 && end === value.length && encoding === null)
          offer(sent, { kind: 'json', name, snippet, finder: { type: 'json_path', path }, decode: null })
    }
  else if (/<[a-z!]/i.test(text.slice(0, 10_000))) offerTags(text, offerWhole)
  for (const hit of hitsIn(text, wanted)) {
    const known = places.get(hit.sent)
    if (known === undefined || placeQuality[known.kind] < placeQuality.script)
      offerInBody(text, hit, exchange, offer)
  }
  return places
}

function offerTags(
  html: string,
  offerWhole: (text: string, place: Omit<FoundPlace, 'decode'>) => void,
): void {
  for (const { name: tag, attributes, start, end } of tagsOf(html)) {
    const snippet = cut(html.slice(start, end))
    const known = attributes.get('name') ?? attributes.get('property')
    const by = attributes.has('name') ? 'name' : 'property'
    const valueAttribute = tag === 'meta' ? 'content' : 'value'
    const value = attributes.get(valueAttribute)
    if ((tag === 'input' || tag === 'meta' || tag === 'button') && known && value)
      offerWhole(value, {
        kind: tag === 'meta' ? 'meta' : 'hidden_input',
        name: known,
        snippet,
        finder: { type: 'css', selector: `${tag}[${by}="${quoted(known)}"]`, attribute: valueAttribute },
      })
    const id = attributes.get('id')
    if (id)
      for (const [attribute, text] of attributes)
        if (attribute.startsWith('data-') || (attribute === 'value' && tag === 'input'))
          offerWhole(text, {
            kind: 'attribute',
            name: attribute.replace(/^data-/, ''),
            snippet,
            finder: { type: 'css', selector: `${tag}[id="${quoted(id)}"]`, attribute },
          })
  }
}

const quoted = (text: string) => text.replaceAll(/["\\]/g, String.raw`\$&`)

interface Hit {
  sent: SentValue
  start: number
  end: number
  encoding: Encoding | null
}

/** Escapes are passed over, so that they are not taken for a part of the word behind them. */
const words = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|&#?\w{1,8};|\\[bfnrt]|[\w-]+/gi

/** At most so many places of a value in one text are looked at. */
const hitsOfValueMax = 20

function* hitsIn(text: string, wanted: Wanted): Generator<Hit> {
  const counts = new Map<SentValue, number>()
  for (const { 0: word, index } of text.matchAll(words)) {
    for (const sent of wanted.get(word) ?? []) {
      const count = (counts.get(sent) ?? 0) + 1
      counts.set(sent, count)
      if (count > hitsOfValueMax) continue
      for (const form of formsOf(sent.value, receivedEncodings)) {
        const start = index - form.text.indexOf(sent.anchor)
        const end = start + form.text.length
        if (start < 0 || !text.startsWith(form.text, start) || !isWholeWord(text, start, end)) continue
        yield { sent, start, end, encoding: form.encoding }
        break
      }
    }
  }
}

const leftCharactersMax = 80
/** What changes itself must not be what a value is found by. */
const changing = /[0-9a-f]{8}|\d{5}|[\w-]{30}/i

type Offer = (sent: SentValue, place: FoundPlace) => void

/** Offers the shortest text before a value that finds it in a body, from the name of what it is given to on. */
function offerInBody(
  body: string,
  { sent, start, end, encoding }: Hit,
  exchange: Exchange,
  offer: Offer,
): void {
  const snippet = cut(body.slice(Math.max(0, start - 60), end + 20), 300)
  const place = { snippet, decode: encoding }
  if (body.trim().length === end - start)
    return offer(sent, { ...place, kind: 'text', name: '', finder: textPattern(String.raw`^\s*(\S+)\s*$`) })
  const right = body.charAt(end)
  const before = body.slice(Math.max(0, start - leftCharactersMax), start).replace(/^[^]*[\r\n]/, '')
  if (right === '' || before === '') return
  const named = /([\w.$:-]+)["']?\]?\s*(?:=>|:=|[:=])\s*["'`]?$/.exec(before)
  const segment = /([\w-]+)\/$/.exec(before)
  const isLink = segment !== null || /[?&;][\w.$-]+=$/.test(before)
  const kind = isLink ? 'link' : named === null ? 'text' : 'script'
  const name = (named?.[1] ?? segment?.[1] ?? '').replace(/^.*\./, '')
  for (const length of [named?.[0].length ?? 0, 8, 16, 32, leftCharactersMax]) {
    const left = length === 0 ? '' : before.slice(-length)
    if (left === '' || changing.test(left)) continue
    const finder: Finder = { type: 'boundaries', left, right, part: 'body' }
    if (find(finder, exchange) === body.slice(start, end))
      return offer(sent, { ...place, kind, name, finder })
  }
}

const textPattern = (pattern: string, part: 'body' | 'headers' | 'url' = 'body'): Finder => ({
  type: 'regex',
  pattern,
  flags: part === 'headers' ? 'i' : '',
  part,
})

/** Offers what finds a value in an address, or in another header that has parts, by the parameter or the segment before it. */
function offerInAddress(
  address: string,
  { sent, start, encoding }: Hit,
  { kind, header }: { kind: 'location' | 'header'; header: string | undefined },
  offer: Offer,
): void {
  const [before, name] = /(?:^|[^\w.$-])([\w.$-]+)[=/]$/.exec(address.slice(0, start)) ?? []
  if (before === undefined || name === undefined || changing.test(before)) return
  const value = String.raw`([^&#;,/?\s"<>]+)`
  const pattern =
    header === undefined
      ? escapeRegex(before) + value
      : String.raw`${escapeRegex(header)}:[^\r\n]*?${escapeRegex(before)}${value}`
  offer(sent, {
    kind,
    name,
    snippet: cut(header === undefined ? address : `${header}: ${address}`),
    finder: textPattern(pattern, header === undefined ? 'url' : 'headers'),
    decode: encoding,
  })
}

interface JsonLeaf {
  value: string
  path: string
  name: string
}

const leavesMax = 200_000

/** Strings and numbers of JSON with the path to each. */
function jsonLeaves(root: unknown): JsonLeaf[] {
  const leaves: JsonLeaf[] = []
  const open: { value: unknown; path: string; name: string }[] = [{ value: root, path: '$', name: '' }]
  for (let next = open.pop(); next !== undefined && leaves.length < leavesMax; next = open.pop()) {
    const { path, name } = next
    const value = writtenNumber(next.value) ?? next.value
    if (typeof value === 'string') leaves.push({ value, path, name })
    else if (typeof value === 'number') leaves.push({ value: String(value), path, name })
    else if (Array.isArray(value))
      for (let index = value.length - 1; index >= 0; index--)
        open.push({ value: value[index], path: `${path}[${index}]`, name })
    else if (typeof value === 'object' && value !== null && path.length < 2000)
      for (const [key, member] of Object.entries(value).toReversed())
        open.push({ value: member, path: path + memberPath(key), name: key })
  }
  return leaves
}

function memberPath(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

function cut(text: string, charactersMax = 200): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`
}
