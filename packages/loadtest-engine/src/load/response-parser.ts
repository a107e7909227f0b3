/** An answer is no HTTP/1.x. The message says what is wrong with it. */
export class NoHttp extends Error {}

/** An answer is larger than what is read. */
export class AnswerTooLarge extends Error {}

/** What the head of an answer has, as bits of `ResponseParser.marks`. */
export const hasSetCookie = 1
export const hasLocation = 2
export const hasContentEncoding = 4
/** The content type tells a charset, and it is not UTF-8. */
export const hasOtherCharset = 16
/** Something that a cache asks about: cache-control, expires, etag, last-modified, pragma. */
export const hasFreshness = 8

const headBytesMax = 65_536
/** Of a line with the size of a chunk and its extensions. */
const chunkLineBytesMax = 16_384

// What comes next.
const atStatusLine = 0
const atHeader = 1
const atBytes = 2
const atEnd = 3
const atChunkSize = 4
const atChunkBytes = 5
const atChunkEnd = 6
const atTrailer = 7
const afterAnswer = 8

const lf = 10
const cr = 13
const colon = 58
const semicolon = 59
const quote = 34
const backslash = 92

/** Heads in a row that were new, after which it is no use to look for known ones. */
const missesMax = 1000

/**
 * The head that the answers to a request had last. Most servers send the same bytes again for a second, up to the date, and what
 * was read once need not be read again.
 */
export class KnownHead {
  bytes: Buffer | null = null
  /** The same, without those beyond the last four. */
  words: Uint32Array = new Uint32Array(0)
  text = ''
  misses = 0
  status = 0
  marks = 0
  contentLength = -1
  isChunked = false
  isReusable = false
}

/**
 * Reads answers of HTTP/1.0 and 1.1 (RFC 9112) as their bytes come, in pieces of any size, and keeps of a body only what somebody
 * wants. Interim answers (1xx) are passed over. What undici accepts is accepted, and what it refuses is refused, but for 100, which
 * it refuses and RFC 9110 has clients pass over, and for a status line without its line feed, which it accepts; response-parser.test.ts holds one against the other.
 *
 * Bytes are read where they are: the head and the body of an answer that came in one piece are there until the bytes are
 * overwritten, so whoever wants them takes them in the turn in which `read` said that the answer is whole.
 */
export class ResponseParser {
  status = 0
  /** Bits of `hasSetCookie` and others. */
  marks = 0
  /** Of the body, as it was sent: encoded, without the sizes of its chunks. */
  bodyBytes = 0
  /** Of all that was read of this answer. */
  receivedBytes = 0
  /** The connection can be used again after it. Holds when the answer is whole. */
  isReusable = false
  #state = afterAnswer
  #isToHead = false
  /** The body of this answer is kept: decided when its head is whole. */
  #keeps = false
  readonly #keepsBody: (parser: ResponseParser) => boolean
  readonly #bodyBytesMax: number
  /** Of the body, or of a chunk, still to come. */
  #left = 0
  #contentLength = -1
  #isChunked = false
  #hasTransferEncoding = false
  #isCloseAsked = false
  #isKeepAliveAsked = false
  /** Of before HTTP/1.1: closed after each answer if not asked otherwise. */
  #isOld = false
  #headBytes = 0
  /** Where the head is while it is in the bytes that are being read; what came before is in `#earlierHead`. */
  #bytes: Buffer | null = null
  #headStart = 0
  #headEnd = 0
  #earlierHead = ''
  #known: KnownHead | null = null
  /** The start of a line whose end has not come. */
  #heldLine: Buffer | null = null
  /** The whole body, where it is in the bytes that are being read. */
  #bodyStart = -1
  #pieces: Buffer[] | null = null

  /** `keepsBody` is asked when a head is whole. */
  constructor(keepsBody: (parser: ResponseParser) => boolean, bodyBytesMax: number) {
    this.#keepsBody = keepsBody
    this.#bodyBytesMax = bodyBytesMax
  }

  /** A request was sent: its answer is read next. Answers to HEAD have no body. */
  begin(isToHead: boolean, known: KnownHead | null = null): void {
    this.#isToHead = isToHead
    this.#known = known
    this.receivedBytes = 0
    this.#beginHead()
  }

  get isWhole(): boolean {
    return this.#state === afterAnswer
  }

  /**
   * Reads bytes up to `end`, or to the end of the answer, and gives how many were read.
   * @throws NoHttp
   * @throws AnswerTooLarge
   */
  read(bytes: Buffer, end: number): number {
    this.#bytes = bytes
    this.#headStart = 0
    this.#headEnd = 0
    let at = this.#known === null ? 0 : this.#readKnown(this.#known, bytes, end)
    while (at < end && this.#state !== afterAnswer) {
      switch (this.#state) {
        case atBytes:
        case atEnd:
        case atChunkBytes:
          at = this.#readBytes(bytes, at, end)
          break
        default:
          at = this.#readLine(bytes, at, end)
      }
    }
    this.receivedBytes += at
    if (this.#state !== afterAnswer) this.#takeHead()
    return at
  }

  /** The other side ended the connection. True where that ends the answer, too; otherwise it is not whole. */
  end(): boolean {
    if (this.#state !== atEnd) return false
    this.#finish()
    this.isReusable = false
    return true
  }

  /** Where the body begins in `bytes`, for this turn only; -1 where it is not kept, or not in one piece. */
  get bodyStart(): number {
    return this.#bodyStart
  }

  /** Those that are being read. */
  get bytes(): Buffer | null {
    return this.#bytes
  }

  /** Status line and headers of the last answer as they were sent, in Latin-1, with the empty line at the end. */
  get head(): string {
    return this.#headEnd > this.#headStart && this.#bytes !== null
      ? this.#earlierHead + this.#bytes.toString('latin1', this.#headStart, this.#headEnd)
      : this.#earlierHead
  }

  /** The body, if it is kept. */
  takeBody(): Buffer {
    return this.#bodyStart >= 0 ? Buffer.from(this.viewBody()) : this.viewBody()
  }

  /** The same for this turn only: where it is in one piece, it is not copied. Before the end, what came since the last look. */
  viewBody(): Buffer {
    if (this.#bodyStart >= 0 && this.#bytes !== null) {
      return this.#bytes.subarray(this.#bodyStart, this.#bodyStart + this.bodyBytes)
    }
    const pieces = this.#pieces ?? []
    this.#pieces = null
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
  }

  /** Where the head is the known one: reads it at once. Otherwise 0 bytes. */
  #readKnown(known: KnownHead, bytes: Buffer, end: number): number {
    if (this.#state !== atStatusLine || this.#headBytes > 0 || known.bytes === null) return 0
    const { length } = known.bytes
    // The last bytes of a head that is shorter or longer are hardly ever an empty line at the same place.
    if (end < length || bytes[length - 1] !== lf || bytes[length - 3] !== lf) return 0
    if (!beginsWith(bytes, known.bytes, known.words)) return 0
    known.misses = 0
    this.status = known.status
    this.marks = known.marks
    this.#contentLength = known.contentLength
    this.#isChunked = known.isChunked
    this.#isCloseAsked = !known.isReusable
    this.#isOld = false
    this.#earlierHead = known.text
    this.#headBytes = length
    this.#endOfHead()
    return length
  }

  #learn(known: KnownHead, bytes: Buffer): void {
    if (this.#headStart !== 0 || this.#earlierHead !== '' || ++known.misses > missesMax) return
    // Not of the memory that small buffers share, in which it may begin anywhere.
    known.bytes = Buffer.alloc(this.#headEnd)
    known.bytes.set(bytes.subarray(0, this.#headEnd))
    known.words = new Uint32Array(known.bytes.buffer, 0, this.#headEnd >> 2)
    known.text = this.head
    known.status = this.status
    known.marks = this.marks
    known.contentLength = this.#contentLength
    known.isChunked = this.#isChunked
    known.isReusable = this.#isCloseAsked ? false : this.#isOld ? this.#isKeepAliveAsked : true
    // From now on it is told by this text, which all have in common.
    this.#earlierHead = known.text
    this.#headStart = this.#headEnd
  }

  #beginHead(): void {
    this.#state = atStatusLine
    this.status = 0
    this.marks = 0
    this.bodyBytes = 0
    this.isReusable = false
    this.#contentLength = -1
    this.#isChunked = false
    this.#hasTransferEncoding = false
    this.#isCloseAsked = false
    this.#isKeepAliveAsked = false
    this.#headBytes = 0
    this.#earlierHead = ''
    this.#bodyStart = -1
    this.#pieces = null
    this.#heldLine = null
  }

  /** The bytes will be overwritten. */
  #takeHead(): void {
    this.#earlierHead = this.head
    this.#headStart = 0
    this.#headEnd = 0
    this.#bytes = null
  }

  #readBytes(bytes: Buffer, at: number, end: number): number {
    const available = end - at
    const length = this.#state === atEnd ? available : Math.min(available, this.#left)
    this.bodyBytes += length
    if (this.bodyBytes > this.#bodyBytesMax)
      throw new AnswerTooLarge(
        `The answer is larger than ${this.#bodyBytesMax / 1e6} MB, the most that is read.`,
      )
    const isAll = this.#state === atBytes && length === this.#left
    if (this.#keeps) {
      if (isAll && this.bodyBytes === length) this.#bodyStart = at
      else (this.#pieces ??= []).push(Buffer.from(bytes.subarray(at, at + length)))
    }
    if (this.#state !== atEnd) {
      this.#left -= length
      if (this.#left === 0) {
        if (this.#state === atBytes) this.#finish()
        else this.#state = atChunkEnd
      }
    }
    return at + length
  }

  #readLine(bytes: Buffer, at: number, end: number): number {
    const held = this.#heldLine
    const isHead = this.#state <= atHeader || this.#state === atTrailer
    const found = bytes.indexOf(lf, at)
    const isFound = found !== -1 && found < end
    const next = isFound ? found + 1 : end
    const lineBytes = next - at + (held === null ? 0 : held.length)
    if (isHead) {
      this.#headBytes += next - at
      if (this.#headBytes > headBytesMax) throw new NoHttp('The headers of the answer are larger than 64 kB.')
      if (this.#state !== atTrailer) {
        if (this.#headEnd === 0) this.#headStart = at
        this.#headEnd = next
      }
    } else if (lineBytes > chunkLineBytesMax)
      throw new NoHttp('A line with the size of a chunk is larger than 16 kB.')
    if (!isFound) {
      const rest = bytes.subarray(at, end)
      this.#heldLine = held === null ? Buffer.from(rest) : Buffer.concat([held, rest])
      return end
    }
    if (held === null) this.#line(bytes, at, found)
    else {
      this.#heldLine = null
      const line = Buffer.concat([held, bytes.subarray(at, found)])
      this.#line(line, 0, line.length)
    }
    return next
  }

  /** One line, without its end. */
  #line(bytes: Buffer, start: number, lineEnd: number): void {
    const end = lineEnd - 1
    if (end < start || bytes[end] !== cr) {
      if (end < start && this.#state === atStatusLine) return this.#dropEmptyLine()
      throw new NoHttp('A line of the answer ends without a carriage return.')
    }
    switch (this.#state) {
      case atStatusLine:
        if (end === start) return this.#dropEmptyLine()
        return this.#statusLine(bytes, start, end)
      case atHeader:
        if (end === start) {
          if (this.status >= 200 && this.#known !== null && this.#bytes !== null)
            this.#learn(this.#known, this.#bytes)
          return this.#endOfHead()
        }
        return this.#header(bytes, start, end)
      case atChunkSize:
        return this.#chunkSize(bytes, start, end)
      case atChunkEnd:
        if (end !== start) throw new NoHttp('A chunk is longer than its size says.')
        this.#state = atChunkSize
        return
      default:
        if (end === start) this.#finish()
        else readName(bytes, start, end)
    }
  }

  /** Some servers send one after a body, which is before the next answer. */
  #dropEmptyLine(): void {
    this.#headEnd = 0
    this.#earlierHead = ''
  }

  #statusLine(bytes: Buffer, start: number, end: number): void {
    // HTTP/1.1 200 OK
    const version = versions.get(
      ((bytes[start + 5] ?? 0) << 16) | ((bytes[start + 6] ?? 0) << 8) | (bytes[start + 7] ?? 0),
    )
    if (
      end - start < 12 ||
      bytes[start] !== 72 ||
      bytes[start + 1] !== 84 ||
      bytes[start + 2] !== 84 ||
      bytes[start + 3] !== 80 ||
      bytes[start + 4] !== 47 ||
      version === undefined ||
      bytes[start + 8] !== 32 ||
      (end - start > 12 && bytes[start + 12] !== 32)
    )
      throw new NoHttp(
        `The answer begins with ${JSON.stringify(bytes.toString('latin1', start, Math.min(end, start + 40)))}.`,
      )
    const hundreds = (bytes[start + 9] ?? 0) - 48
    const tens = (bytes[start + 10] ?? 0) - 48
    const ones = (bytes[start + 11] ?? 0) - 48
    if (!isDigit(hundreds) || !isDigit(tens) || !isDigit(ones))
      throw new NoHttp('The status of the answer is no number.')
    this.status = hundreds * 100 + tens * 10 + ones
    for (let at = start + 13; at < end; at++)
      if (bytes[at] === cr) throw new NoHttp('The status line of the answer has a carriage return in it.')
    this.#isOld = version !== '1.1'
    this.#state = atHeader
  }

  #header(bytes: Buffer, start: number, end: number): void {
    const nameEnd = readName(bytes, start, end)
    switch (nameEnd - start) {
      case 4:
        if (isName(bytes, start, 'etag')) this.marks |= hasFreshness
        return
      case 6:
        if (isName(bytes, start, 'pragma')) this.marks |= hasFreshness
        return
      case 7:
        if (isName(bytes, start, 'expires')) this.marks |= hasFreshness
        return
      case 8:
        if (isName(bytes, start, 'location')) this.marks |= hasLocation
        return
      case 10:
        if (isName(bytes, start, 'set-cookie')) this.marks |= hasSetCookie
        else if (isName(bytes, start, 'connection')) this.#connection(bytes, nameEnd + 1, end)
        return
      case 12:
        if (isName(bytes, start, 'content-type')) this.#contentType(bytes, nameEnd + 1, end)
        return
      case 13:
        if (isName(bytes, start, 'last-modified') || isName(bytes, start, 'cache-control'))
          this.marks |= hasFreshness
        return
      case 14:
        if (isName(bytes, start, 'content-length')) this.#length(bytes, nameEnd + 1, end)
        return
      case 16:
        if (isName(bytes, start, 'content-encoding')) this.marks |= hasContentEncoding
        return
      case 17:
        if (isName(bytes, start, 'transfer-encoding')) this.#transferEncoding(bytes, nameEnd + 1, end)
        return
      default:
    }
  }

  #contentType(bytes: Buffer, start: number, end: number): void {
    for (let at = start; at < end; at++)
      if (bytes[at] === semicolon) {
        const parameters = bytes.toString('latin1', at, end)
        if (/;\s*charset\s*=\s*"?(?!utf-?8\b)/i.test(parameters)) this.marks |= hasOtherCharset
        return
      }
  }

  #length(bytes: Buffer, start: number, end: number): void {
    if (this.#contentLength !== -1) throw new NoHttp('The answer has two headers content-length.')
    let at = start
    while (at < end && isBlank(bytes[at])) at++
    let length = 0
    const first = at
    for (; at < end && isDigit((bytes[at] ?? 0) - 48); at++) length = length * 10 + (bytes[at] ?? 0) - 48
    const isEmpty = at === first
    if (at !== end || isEmpty || length > Number.MAX_SAFE_INTEGER)
      throw new NoHttp('The content-length of the answer is no number.')
    if (this.#hasTransferEncoding)
      throw new NoHttp('The answer has a content-length and a transfer-encoding.')
    this.#contentLength = length
  }

  #transferEncoding(bytes: Buffer, start: number, end: number): void {
    if (this.#contentLength !== -1)
      throw new NoHttp('The answer has a content-length and a transfer-encoding.')
    this.#hasTransferEncoding = true
    // Chunked has to be the last one, or the body goes on to the end of the connection (RFC 9112, 6.3).
    this.#isChunked = /(?:^|,)[ \t]*chunked[ \t]*$/i.test(bytes.toString('latin1', start, end).trim())
  }

  #connection(bytes: Buffer, start: number, end: number): void {
    if (end - start === 11 && isName(bytes, start + 1, 'keep-alive')) {
      this.#isKeepAliveAsked = true
      return
    }
    for (const token of bytes.toString('latin1', start, end).toLowerCase().split(',')) {
      const asked = token.trim()
      if (asked === 'close') this.#isCloseAsked = true
      else if (asked === 'keep-alive') this.#isKeepAliveAsked = true
    }
  }

  #endOfHead(): void {
    const { status } = this
    if (status < 200) {
      if (status === 101) throw new NoHttp('The server switches to another protocol, and nobody asked it to.')
      this.#beginHead()
      this.#known = null
      this.#headStart = 0
      this.#headEnd = 0
      return
    }
    this.#keeps = this.#keepsBody(this)
    if (this.#isToHead || status === 204 || status === 304) {
      this.#finish()
    } else if (this.#isChunked) this.#state = atChunkSize
    else if (this.#contentLength >= 0) {
      this.#left = this.#contentLength
      if (this.#left === 0) this.#finish()
      else this.#state = atBytes
    } else this.#state = atEnd
  }

  #chunkSize(bytes: Buffer, start: number, end: number): void {
    let size = 0
    let at = start
    for (; at < end; at++) {
      const digit = hexDigit(bytes[at] ?? 0)
      if (digit === -1) break
      size = size * 16 + digit
      if (size > Number.MAX_SAFE_INTEGER) throw new NoHttp('The size of a chunk is too large.')
    }
    // Extensions are passed over (RFC 9112, 7.1.1).
    if (at === start || (at < end && bytes[at] !== semicolon))
      throw new NoHttp('The size of a chunk is no number.')
    let isQuoted = false
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (isControl(byte)) throw new NoHttp('The extension of a chunk has a control character in it.')
      if (byte === backslash && isQuoted) at++
      else if (byte === quote) isQuoted = !isQuoted
    }
    if (isQuoted) throw new NoHttp('The extension of a chunk has a text in it that does not end.')
    this.#left = size
    this.#state = size === 0 ? atTrailer : atChunkBytes
  }

  #finish(): void {
    this.#state = afterAnswer
    this.isReusable = this.#isCloseAsked ? false : this.#isOld ? this.#isKeepAliveAsked : true
  }
}

/** The memory of the last answers, four bytes at a time: most often it is one and the same. */
let wide: { bytes: Buffer; words: Uint32Array } = { bytes: Buffer.alloc(0), words: new Uint32Array(0) }

/** As `compare` tells it, in half of its time where the bytes are whole words from their beginning, as those for all connections are. */
function beginsWith(bytes: Buffer, head: Buffer, headWords: Uint32Array): boolean {
  const { length } = head
  if (bytes.byteOffset % 4 !== 0) return bytes.compare(head, 0, length, 0, length) === 0
  if (wide.bytes !== bytes)
    wide = { bytes, words: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) }
  const { words } = wide
  for (let at = 0; at < headWords.length; at++) if (words[at] !== headWords[at]) return false
  for (let at = headWords.length << 2; at < length; at++) if (bytes[at] !== head[at]) return false
  return true
}

/** Where the name of a header ends; what cannot be in a header is refused. */
function readName(bytes: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && token[bytes[at] ?? 0] === 1) at++
  if (at === start || bytes[at] !== colon || at === end)
    throw new NoHttp(
      `The answer has a header that is none: ${JSON.stringify(bytes.toString('latin1', start, Math.min(end, start + 40)))}.`,
    )
  for (let place = at + 1; place < end; place++) {
    if (isControl(bytes[place] ?? 0))
      throw new NoHttp('A header of the answer has a control character in it.')
  }
  return at
}

function isName(bytes: Buffer, start: number, name: string): boolean {
  for (let index = 0; index < name.length; index++)
    // Letters differ from their capitals by one bit, which the hyphen has, too.
    if (((bytes[start + index] ?? 0) | 32) !== name.charCodeAt(index)) return false
  return true
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9
}

/** What may not be in a header: all but the tab. */
function isControl(byte: number): boolean {
  return (byte < 32 && byte !== 9) || byte === 127
}

function isDigit(value: number): boolean {
  return value >= 0 && value <= 9
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** Those that llhttp knows, by their three bytes. HTTP/2 over HTTP/1 is nonsense, and no reason to give up. */
const versions = new Map(
  ['0.9', '1.0', '1.1', '2.0'].map((version) => [Buffer.from(version).readUIntBE(0, 3), version]),
)

/** What names of headers are made of (RFC 9110, 5.6.2). */
const token = new Uint8Array(256)
for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  token[character.charCodeAt(0)] = 1
