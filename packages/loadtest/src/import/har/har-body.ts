import type { ExchangeBody } from '../../recording/exchange.ts'
import type { JsonObject } from '../../json/json-values.ts'
import { amountOf, textOf } from './har-values.ts'

/** `response.content` of an entry. */
export function readContent(content: JsonObject, transferredBytes: number | null): ExchangeBody | null {
  const text = textOf(content['text'])
  const size = amountOf(content['size'])
  if (text === null && (size ?? 0) === 0) return null
  return {
    contentType: mimeTypeOf(content['mimeType']),
    transferredBytes,
    ...sizedContent(text, size, { isEncoded: isBase64(content), mimeType: textOf(content['mimeType']) }),
    isCut: content['_isCut'] === true || text === null,
  }
}

/** `request.postData` of an entry, of which the size is beside it. */
export function readSentBody(postData: JsonObject, sizeBytes: number | null): ExchangeBody | null {
  const text = textOf(postData['text'])
  if (text === null && (sizeBytes ?? 0) === 0) return null
  return {
    contentType: mimeTypeOf(postData['mimeType']),
    transferredBytes: sizeBytes,
    ...sizedContent(text, sizeBytes, {
      isEncoded: isBase64(postData),
      mimeType: textOf(postData['mimeType']),
    }),
    isCut: postData['_isCut'] === true || text === null,
  }
}

/** Not in the specification for what is sent, but written by some. */
export function isBase64(holder: JsonObject): boolean {
  return holder['encoding'] === 'base64' || holder['_encoding'] === 'base64'
}

/** `x-unknown` is what browsers write when they do not know. */
export function mimeTypeOf(value: unknown): string | null {
  const text = textOf(value)
  return text === 'x-unknown' ? null : text
}

function sizedContent(
  text: string | null,
  size: number | null,
  { isEncoded, mimeType }: { isEncoded: boolean; mimeType: string | null },
): Pick<ExchangeBody, 'content' | 'encoding' | 'sizeBytes'> {
  if (text === null) return { content: null, encoding: 'text', sizeBytes: size ?? 0 }
  if (!isEncoded) return { content: text, encoding: 'text', sizeBytes: size ?? Buffer.byteLength(text) }
  const sizeBytes = size ?? Buffer.byteLength(text, 'base64')
  const decoded = mimeType !== null && isText.test(mimeType) ? decode(text, mimeType) : undefined
  if (decoded !== undefined) return { content: decoded, encoding: 'text', sizeBytes }
  return { content: text, encoding: 'base64', sizeBytes }
}

const isText =
  /^\s*(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|x-javascript|x-www-form-urlencoded|graphql)|image\/svg)/i

/** Undefined where it is no text of its charset. */
function decode(base64: string, mimeType: string): string | undefined {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(mimeType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}
