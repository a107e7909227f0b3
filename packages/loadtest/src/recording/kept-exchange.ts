import { redacted } from '../text/redactor.ts'
import type { Exchange, ExchangeBody, ExchangeHeader } from './exchange.ts'

/** Most bytes that a recording keeps of a body; texts are measured in UTF-8. */
export const keptBodyBytesMax = 2_000_000

/** Of these nobody looks for a value: what they are is told by size and type. */
const unkept =
  /^\s*(?:image\/(?!svg\+xml)|font\/|audio\/|video\/|application\/(?:x-)?font-|application\/vnd\.ms-fontobject)/i

/** What they hold is a password, or as good as one. */
const credentialHeaders = new Set(['authorization', 'proxy-authorization'])

/**
 * An exchange as a recording keeps it: large bodies are cut, images, fonts and films are left out, and of what a request
 * authenticates with only the scheme stays. Cookies stay, for values are looked for in them.
 */
export function keptExchange(exchange: Exchange): Exchange {
  const { request, response } = exchange
  return {
    ...exchange,
    request: { ...request, headers: request.headers.map(keptHeader), body: keptBody(request.body) },
    response: response && { ...response, body: keptBody(response.body) },
  }
}

function keptHeader({ name, value }: ExchangeHeader): ExchangeHeader {
  if (!credentialHeaders.has(name.toLowerCase())) return { name, value }
  const [, scheme = ''] = /^\s*([\w-]{1,40}\s+)\S/.exec(value) ?? []
  return { name, value: `${scheme}${redacted}` }
}

function keptBody(body: ExchangeBody | null): ExchangeBody | null {
  if (body?.content == null) return body
  if (body.contentType !== null && unkept.test(body.contentType))
    return { ...body, content: null, isCut: body.isCut || body.sizeBytes > 0 }
  const content = body.encoding === 'base64' ? cutBase64(body.content) : cutText(body.content)
  return content === body.content ? body : { ...body, content, isCut: true }
}

function cutText(text: string): string {
  // No character takes more than three bytes for each of its UTF-16 units.
  if (text.length * 3 <= keptBodyBytesMax) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= keptBodyBytesMax) return text
  // Bytes that go on with a character begin with the bits 10: none is cut in the middle.
  let end = keptBodyBytesMax
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** Four characters hold three bytes. */
function cutBase64(text: string): string {
  const charactersMax = Math.floor(keptBodyBytesMax / 3) * 4
  return text.length <= charactersMax ? text : text.slice(0, charactersMax)
}
