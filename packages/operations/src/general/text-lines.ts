/**
 * Lines out of a stream of bytes, gzip or plain, with bounded memory: of a long line only the beginning is kept.
 *
 *     chunks -> is it gzip? unpack -> is it text? -> UTF-8 -> lines
 */

export interface TextLine {
  /** From 1. */
  number: number
  /** The first characters of the line, without its end. */
  text: string
  /** Whether the line is longer than that. */
  isCut: boolean
}

/** The content is not text. */
export class NotText extends Error {}

/** There is more text than may be read at once. */
export class TooMuchText extends Error {}

/** The content begins as gzip and cannot be unpacked. */
export class BrokenGzip extends Error {}

export interface LineLimits {
  /** Characters kept of a line. */
  lineCharacters: number
  /** Bytes of text, unpacked. */
  textBytes: number
}

/** @throws NotText | TooMuchText | BrokenGzip */
export async function* textLines(
  content: AsyncIterable<Uint8Array>,
  limits: LineLimits,
): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder()
  let number = 1
  let text = ''
  let isCut = false
  let endsWithCr = false

  const append = (part: string) => {
    const room = limits.lineCharacters - text.length
    if (part.length > room) isCut = true
    text += part.slice(0, Math.max(0, room))
    if (part !== '') endsWithCr = part.endsWith('\r')
  }
  const take = (): TextLine => {
    // A line that was cut has lost its end already.
    const line = { number, text: endsWithCr && !isCut ? text.slice(0, -1) : text, isCut }
    number += 1
    text = ''
    isCut = false
    endsWithCr = false
    return line
  }

  let bytes = 0
  for await (const chunk of unpacked(content)) {
    bytes += chunk.byteLength
    if (bytes > limits.textBytes) throw new TooMuchText()
    if (chunk.some(isNeverInText)) throw new NotText()
    const parts = decoder.decode(chunk, { stream: true }).split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) {
      append(part)
      yield take()
    }
    append(last)
  }
  append(decoder.decode())
  if (text !== '') yield take()
}

async function* unpacked(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]()
  const first = await chunks.next()
  const rest = startingWith(first, chunks)
  if (first.done === true || !isGzip(first.value)) {
    yield* rest
    return
  }
  try {
    yield* ReadableStream.from(rest).pipeThrough(new DecompressionStream('gzip'))
  } catch (error) {
    throw new BrokenGzip('The content cannot be unpacked.', { cause: error })
  }
}

async function* startingWith(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value
  } finally {
    // Lets go of the file when nobody wants the rest.
    await rest.return?.()
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Control characters, but for white space, bell, backspace and the escape that colours a log. */
function isNeverInText(byte: number): boolean {
  return byte < 0x20 && (byte < 0x07 || byte > 0x0d) && byte !== 0x1b
}
