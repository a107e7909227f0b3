import type { ExchangeHeader } from '@flamegate/loadtest'
import { mayHoldLargeNumbers, parseWritten } from '@flamegate/loadtest/running'
import type { JSONValue } from 'json-p3'
import { parseDocument } from 'htmlparser2'
import type { Document } from 'domhandler'
import { ActionFailure, wordsOf } from '../action-failure.ts'
import { decodeText } from '../http/body-text.ts'

/**
 * Values take up many times the room of their JSON, and a heap that overflows in the middle of `JSON.parse` takes the whole
 * process with it, not only the thread.
 */
const jsonBytesMax = 20_000_000

/** What came back, as extractors and assertions see it. Read as JSON or HTML when one of them asks, and once. */
export class Received {
  /** That answered. */
  readonly url: string
  /** Null for a message of a WebSocket. */
  readonly status: number | null
  /** Decompressed. */
  readonly body: Buffer
  readonly durationMs: number
  #statusText: string | undefined
  #headers: readonly ExchangeHeader[] | string
  #text: string | undefined
  #json: { value: JSONValue } | undefined
  #writtenJson: { value: unknown } | undefined
  #document: Document | undefined

  constructor(answer: {
    url: string
    status: number | null
    /** Told by the headers, where they are as they were sent. */
    statusText?: string
    /** In their order, or as they were sent: status line and headers. */
    headers: readonly ExchangeHeader[] | string
    body: Buffer
    durationMs: number
  }) {
    this.url = answer.url
    this.status = answer.status
    this.#statusText = answer.statusText
    this.#headers = answer.headers
    this.body = answer.body
    this.durationMs = answer.durationMs
  }

  get statusText(): string {
    this.#statusText ??=
      typeof this.#headers === 'string' ? this.#headers.slice(13, this.#headers.indexOf('\r')) : ''
    return this.#statusText
  }

  get headers(): readonly ExchangeHeader[] {
    if (typeof this.#headers === 'string') {
      this.#statusText = this.statusText
      this.#headers = readHead(this.#headers)
    }
    return this.#headers
  }

  get text(): string {
    return (this.#text ??= decodeText(this.body, this.#contentType()))
  }

  /** @throws ActionFailure where it is no JSON */
  get json(): JSONValue {
    if (this.#json === undefined) {
      if (this.body.length > jsonBytesMax)
        throw new ActionFailure(
          `the body is larger than ${jsonBytesMax / 1e6} MB, the most that is read as JSON`,
        )
      try {
        this.#json = { value: JSON.parse(this.text) }
      } catch (error) {
        throw new ActionFailure(`the body is no JSON (${wordsOf(error)}); it is ${this.bodyWords}`, {
          cause: error,
        })
      }
    }
    return this.#json.value
  }

  /** The same, as `parseWritten` reads it. */
  get writtenJson(): unknown {
    const { json } = this
    this.#writtenJson ??= { value: mayHoldLargeNumbers(this.text) ? parseWritten(this.text) : json }
    return this.#writtenJson.value
  }

  /** However broken the HTML is. */
  get document(): Document {
    return (this.#document ??= parseDocument(this.text))
  }

  get isXml(): boolean {
    const type = this.header('content-type') ?? ''
    if (/html/i.test(type) && !/xhtml\+xml/i.test(type)) return false
    return /[/+]xml/i.test(type) || this.text.trimStart().startsWith('<?xml')
  }

  get statusLine(): string {
    return `${this.status ?? ''} ${this.statusText}`.trim()
  }

  get headerText(): string {
    return this.headers.map(({ name, value }) => `${name}: ${value}`).join('\r\n')
  }

  /** For messages: how large the body is, and how it begins. */
  get bodyWords(): string {
    if (this.body.length === 0) return 'an empty body'
    const start = this.text.slice(0, 120)
    return `a body of ${this.body.length} bytes: ${start}${start.length < this.text.length ? '…' : ''}`
  }

  /** Its first value; null where it did not come. */
  header(name: string): string | null {
    return this.headersNamed(name)[0] ?? null
  }

  /** Without reading all of them, which nobody may have asked for. */
  #contentType(): string | null {
    if (typeof this.#headers !== 'string') return this.header('content-type')
    // Answers that follow one another often have one and the same head.
    if (this.#headers !== lastHead.text) {
      lastHead.text = this.#headers
      lastHead.contentType = /\ncontent-type:[ \t]*([^\r]*?)[ \t]*\r/i.exec(this.#headers)?.[1] ?? null
    }
    return lastHead.contentType
  }

  headersNamed(name: string): string[] {
    const wanted = name.toLowerCase()
    return this.headers.filter((header) => header.name.toLowerCase() === wanted).map(({ value }) => value)
  }
}

const lastHead: { text: string; contentType: string | null } = { text: '', contentType: null }

/** The headers of an answer of HTTP/1.1 that was found to be one: each in a line of its own. */
export function readHead(head: string): ExchangeHeader[] {
  return head
    .split('\r\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '') }
    })
}
