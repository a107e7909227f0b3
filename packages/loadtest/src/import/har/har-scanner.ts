import { SourceError } from '../importer.ts'

/** Most bytes of a HAR. */
export const harBytesMax = 200_000_000

/** Most bytes of one entry: a recorded body with all that belongs to it. */
export const entryBytesMax = 50_000_000

/** Most entries, and pages. */
export const entriesMax = 20_000

const smallBytesMax = 1_000_000
const nestingMax = 200
const valuesMax = 1_000_000

const doubleQuote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** One value of `log`: an element of its lists, or its creator. */
export interface HarPart {
  key: 'creator' | 'pages' | 'entries'
  /** In its list, from 0. */
  index: number
  /** `log.entries[12]` */
  place: string
  value: unknown
}

/**
 * Goes once through a [HAR](http://www.softwareishard.com/blog/har-12-spec/) as it comes, and holds no more of it than one
 * entry: finds where each begins and ends, and leaves the reading of it to JSON.parse.
 */
export async function* readHarParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<HarPart> {
  const scanner = new Scanner(source[Symbol.asyncIterator]())
  await scanner.skipMark()
  let hasEntries = false
  for await (const key of scanner.keys('the file')) {
    if (key !== 'log') await scanner.skip(key)
    else {
      for await (const inner of scanner.keys('log')) {
        if (inner === 'entries' || inner === 'pages') {
          hasEntries ||= inner === 'entries'
          yield* scanner.elements(inner)
        } else if (inner === 'creator') {
          const value = await scanner.capture('log.creator', smallBytesMax)
          yield { key: 'creator', index: 0, place: 'log.creator', value }
        } else await scanner.skip(`log.${inner}`)
      }
    }
  }
  await scanner.finish()
  if (!hasEntries) throw new SourceError('This is no HAR: it has no log.entries.')
}

class Scanner {
  readonly #chunks: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array(0)
  #position = 0
  /** Bytes before the chunk. */
  #before = 0
  /** A list may come twice, which JSON allows. */
  readonly #counts = { pages: 0, entries: 0 }

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks
  }

  /** Past the byte order mark that some programs write. */
  async skipMark(): Promise<void> {
    if ((await this.#peek()) !== 0xef) return
    for (const expected of [0xef, 0xbb, 0xbf]) await this.#expect(expected, 'the file')
  }

  /** The keys of an object; before the next one, the value of each has to be read, or skipped. */
  async *keys(place: string): AsyncGenerator<string> {
    await this.#expect(openBrace, place)
    if (await this.#skipIf(closeBrace)) return
    do {
      const key = await this.capture(place, smallBytesMax)
      if (typeof key !== 'string') throw this.#unexpected(place)
      await this.#expect(colon, place)
      yield key
    } while (await this.#skipIf(comma))
    await this.#expect(closeBrace, place)
  }

  async *elements(key: 'pages' | 'entries'): AsyncGenerator<HarPart> {
    await this.#expect(openBracket, `log.${key}`)
    if (await this.#skipIf(closeBracket)) return
    do {
      const index = this.#counts[key]++
      const place = `log.${key}[${index}]`
      if (index >= entriesMax)
        throw new SourceError(`There are more than ${entriesMax} ${key}. Record less, or cut it.`, place)
      const value = await this.capture(place, key === 'entries' ? entryBytesMax : smallBytesMax)
      yield { key, index, place, value }
    } while (await this.#skipIf(comma))
    await this.#expect(closeBracket, `log.${key}`)
  }

  async skip(place: string): Promise<void> {
    await this.#pass(place, undefined)
  }

  /** The value that comes now. */
  async capture(place: string, bytesMax: number): Promise<unknown> {
    const pieces: Uint8Array[] = []
    let length = 0
    await this.#pass(place, (piece) => {
      length += piece.length
      if (length > bytesMax) throw new SourceError(`It is larger than ${bytesMax / 1e6} MB.`, place)
      pieces.push(piece)
    })
    // What is not UTF-8 is replaced: some recorders cut bodies within a character.
    const text = decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
    try {
      return JSON.parse(text)
    } catch {
      throw new SourceError('This is not JSON.', place)
    }
  }

  /** Only white space may follow. */
  async finish(): Promise<void> {
    await this.#skipSpace()
    if ((await this.#peek()) !== undefined) throw this.#unexpected('the end')
  }

  /** Past a value, giving what it is made of, chunk by chunk. */
  async #pass(place: string, onPiece: ((piece: Uint8Array) => void) | undefined): Promise<void> {
    await this.#skipSpace()
    const ending = new ValueEnd(place)
    for (;;) {
      if ((await this.#peek()) === undefined) throw this.#unexpected(place)
      const end = ending.find(this.#chunk, this.#position)
      onPiece?.(this.#chunk.subarray(this.#position, end.at))
      this.#position = end.at
      if (end.isFound) break
    }
    if (ending.isEmpty) throw this.#unexpected(place)
  }

  async #expect(byte: number, place: string): Promise<void> {
    if (!(await this.#skipIf(byte))) throw this.#unexpected(place)
  }

  async #skipIf(byte: number): Promise<boolean> {
    await this.#skipSpace()
    if ((await this.#peek()) !== byte) return false
    this.#position++
    return true
  }

  async #skipSpace(): Promise<void> {
    for (;;) {
      while (isSpace(this.#chunk[this.#position])) this.#position++
      if (this.#position < this.#chunk.length || (await this.#peek()) === undefined) return
    }
  }

  /** The byte that comes now; undefined at the end. */
  async #peek(): Promise<number | undefined> {
    while (this.#position >= this.#chunk.length) {
      const next = await this.#chunks.next()
      if (next.done === true) return undefined
      this.#before += this.#chunk.length
      this.#chunk = next.value
      this.#position = 0
      if (this.#before + this.#chunk.length > harBytesMax)
        throw new SourceError(`It is larger than ${harBytesMax / 1e6} MB.`)
    }
    return this.#chunk[this.#position]
  }

  #unexpected(place: string): SourceError {
    const isEnd = this.#position >= this.#chunk.length
    return new SourceError(
      isEnd ? 'The file is cut off here.' : `This is not JSON (byte ${this.#before + this.#position}).`,
      place,
    )
  }
}

const decoder = new TextDecoder()

/** Looks for the end of one JSON value, of which the bytes come in chunks. */
class ValueEnd {
  readonly #place: string
  #depth = 0
  #valueCount = 0
  #isInString = false
  #isEscaped = false
  #isInWord = false
  isEmpty = true

  constructor(place: string) {
    this.#place = place
  }

  /** Position behind the value, or the end of the chunk, if it goes on in the next one. */
  find(chunk: Uint8Array, from: number): { at: number; isFound: boolean } {
    let at = from
    const { length } = chunk
    while (at < length) {
      if (this.#isInString) {
        at = this.#skipString(chunk, at)
        if (this.#isInString) break
        if (this.#depth === 0) return { at, isFound: true }
        continue
      }
      const byte = chunk[at]!
      if (this.#depth === 0 && this.#isInWord && isOutsideWord(byte)) return { at, isFound: true }
      if (byte === doubleQuote) this.#isInString = true
      else if (byte === openBrace || byte === openBracket) {
        if (++this.#depth > nestingMax)
          throw new SourceError(`It is nested deeper than ${nestingMax} levels.`, this.#place)
        this.#count()
      } else if (byte === closeBrace || byte === closeBracket) {
        if (this.#depth === 0) return { at, isFound: true }
        if (--this.#depth === 0) return { at: at + 1, isFound: true }
      } else if (this.#depth === 0) {
        if (isOutsideWord(byte)) return { at, isFound: true }
        this.#isInWord = true
      } else if (byte === comma) this.#count()
      this.isEmpty = false
      at++
    }
    return { at: length, isFound: false }
  }

  /** Many small values take many times the memory of their bytes. */
  #count(): void {
    if (++this.#valueCount > valuesMax)
      throw new SourceError(`It holds more than ${valuesMax} values.`, this.#place)
  }

  /** Behind the string, or at the end of the chunk. */
  #skipString(chunk: Uint8Array, from: number): number {
    let at = from
    const { length } = chunk
    if (this.#isEscaped) {
      this.#isEscaped = false
      at++
    }
    for (; at < length; at++) {
      const byte = chunk[at]
      if (byte === doubleQuote) {
        this.#isInString = false
        return at + 1
      }
      if (byte === backslash) at++
    }
    this.#isEscaped = at > length
    return length
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** What ends a number, or `true`, `false` and `null`. */
function isOutsideWord(byte: number): boolean {
  return isSpace(byte) || byte === comma || byte === colon || byte === closeBrace || byte === closeBracket
}
