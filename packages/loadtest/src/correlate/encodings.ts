import { decodeEntities } from './html-tags.ts'

/** How a value is written where it is not written as it is. */
export const encodings = [
  'url',
  'form',
  'json',
  'json_slashes',
  'json_ascii',
  'html',
  'html_hex',
  'base64',
] as const
export type Encoding = (typeof encodings)[number]

const html: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const write: Record<Encoding, (value: string) => string> = {
  url: encodeUri,
  form: (value) => encodeUri(value).replaceAll('%20', '+'),
  json: (value) => JSON.stringify(value).slice(1, -1),
  // PHP writes JSON so.
  json_slashes: (value) =>
    JSON.stringify(value)
      .slice(1, -1)
      .replaceAll('/', String.raw`\/`),
  // .NET and Rails write these as escapes, so that JSON can stand in HTML.
  json_ascii: (value) =>
    JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(/[&<>'+=]/g, (character) => String.raw`\u00` + hex(character).toUpperCase()),
  html: (value) => value.replaceAll(/[&<>"']/g, (character) => html[character] ?? character),
  // ASP.NET Core escapes + too.
  html_hex: (value) => value.replaceAll(/[&<>"'+]/g, (character) => `&#x${hex(character).toUpperCase()};`),
  base64: (value) => Buffer.from(value).toString('base64'),
}

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')

/** Half a surrogate pair cannot be written in UTF-8: it stays as it is. */
function encodeUri(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : value
}

/** A value in one of its forms. */
export interface EncodedForm {
  text: string
  /** Null where it is written as it is. */
  encoding: Encoding | null
}

/** The forms of a value that differ, as it is first. Base64 only where it is asked for: no page decodes it by itself. */
export function formsOf(value: string, kinds: readonly Encoding[]): EncodedForm[] {
  const forms: EncodedForm[] = [{ text: value, encoding: null }]
  for (const encoding of kinds) {
    const text = write[encoding](value)
    if (!forms.some((form) => form.text === text)) forms.push({ text, encoding })
  }
  return forms
}

const read: Partial<Record<Encoding, (text: string) => string>> = {
  url: decodeURIComponent,
  json: readJson,
  json_slashes: readJson,
  json_ascii: readJson,
  html: decodeEntities,
  html_hex: decodeEntities,
}

function readJson(text: string): string {
  return String(JSON.parse(`"${text}"`))
}

/** What a text says when its escapes are read, and as what they were read; undefined where it has none. */
export function decoded(text: string): { text: string; encoding: Encoding } | undefined {
  for (const encoding of receivedEncodings) {
    try {
      const plain = read[encoding]?.(text)
      if (plain !== undefined && plain !== text) return { text: plain, encoding }
    } catch {
      // No such escapes.
    }
  }
  return undefined
}

/** In which forms a value may be sent, and in which it may come. */
export const sentEncodings: readonly Encoding[] = ['url', 'form', 'json', 'json_slashes', 'html', 'base64']
export const receivedEncodings: readonly Encoding[] = [
  'json',
  'json_slashes',
  'json_ascii',
  'html',
  'html_hex',
  'url',
]

// JavaScript for the sandbox of scripts, which has no atob and no TextEncoder.
const escapes = `({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })`
const encodeScripts: Partial<Record<Encoding, string>> = {
  url: 'encodeURIComponent(value)',
  form: "encodeURIComponent(value).replace(/%20/g, '+')",
  json: 'JSON.stringify(value).slice(1, -1)',
  json_slashes: String.raw`JSON.stringify(value).slice(1, -1).replace(/\//g, '\\/')`,
  html: `value.replace(/[&<>"']/g, (character) => ${escapes}[character])`,
  base64: `((bytes) => {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const group = (bytes[index] << 16) | ((bytes[index + 1] || 0) << 8) | (bytes[index + 2] || 0)
    for (let digit = 0; digit < 4; digit++)
      text += index + digit > bytes.length ? '=' : digits[(group >> (18 - 6 * digit)) & 63]
  }
  return text
})(encodeURIComponent(value).match(/%..|[^]/g).map((part) => part.length > 1 ? parseInt(part.slice(1), 16) : part.charCodeAt(0)))`,
}

const readJsonScript = `JSON.parse('"' + value + '"')`
const readHtmlScript = `value.replace(/&(?:#x([0-9a-f]+)|#([0-9]+)|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) =>
  hex ? String.fromCodePoint(parseInt(hex, 16))
    : decimal ? String.fromCodePoint(Number(decimal))
    : { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name.toLowerCase()])`
const decodeScripts: Partial<Record<Encoding, string>> = {
  url: 'decodeURIComponent(value)',
  json: readJsonScript,
  json_slashes: readJsonScript,
  json_ascii: readJsonScript,
  html: readHtmlScript,
  html_hex: readHtmlScript,
}

/** Source of a `script` action that gives one variable the value of another, written or read in an encoding. */
export function convertScript(
  from: string,
  to: string,
  encoding: Encoding,
  direction: 'encode' | 'decode',
): string {
  const expression = (direction === 'encode' ? encodeScripts : decodeScripts)[encoding]
  if (expression === undefined) throw new TypeError(`Nothing is ${direction}d as ${encoding}`)
  // In a block, and only where there is a value: a list counts by its first.
  return `{\n  const [value] = [vars.get('${from}')].flat()\n  if (value !== undefined) vars.set('${to}', ${expression})\n}\n`
}
