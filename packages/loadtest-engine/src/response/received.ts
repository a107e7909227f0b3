import type { ExchangeHeader } from '@flamegate/loadtest'
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
  readonly statusText: string
  readonly headers: readonly ExchangeHeader[]
  /** Decompressed. */
  readonly body: Buffer
  readonly durationMs: number
  #text: string | undefined
  #json: { value: JSONValue } | undefined
  #document: Document | undefined

  constructor(answer: {
    url: string
    status: number | null
    statusText: string
    headers: readonly ExchangeHeader[]
    body: Buffer
    durationMs: number
  }) {
    this.url = answer.url
    this.status = answer.status
    this.statusText = answer.statusText
    this.headers = answer.headers
    this.body = answer.body
    this.durationMs = answer.durationMs
  }

  get text(): string {
    return (this.#text ??= decodeText(this.body, this.header('content-type')))
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

  headersNamed(name: string): string[] {
    const wanted = name.toLowerCase()
    return this.headers.filter((header) => header.name.toLowerCase() === wanted).map(({ value }) => value)
  }
}
