import { isObject } from './read-message.ts'

const newline = 10

interface FoundMessage {
  message: Record<string, unknown>
  bytes: number
}

/** One message of JSON-RPC; undefined of anything else. */
export function messageOf(text: string): FoundMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isObject(message) && 'jsonrpc' in message ? { message, bytes: Buffer.byteLength(text) } : undefined
  } catch {
    return undefined
  }
}

/** The answer to a request among the events of its stream: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function messageInStream(stream: string, id: unknown): FoundMessage | undefined {
  for (const event of stream.split(/\r\n\r\n|\n\n|\r\r/)) {
    const data = event.split(/\r\n|\n|\r/).flatMap((line) => dataOf(line) ?? [])
    const found = data.length === 0 ? undefined : messageOf(data.join('\n'))
    if (found === undefined || 'method' in found.message) continue
    // Some servers write a number as a text, which clients take.
    if (String(found.message['id']) === String(id)) return found
  }
  return undefined
}

function dataOf(line: string): string | undefined {
  return line.startsWith('data:') ? line.slice(line[5] === ' ' ? 6 : 5) : undefined
}

/** An answer that is a stream of events while it comes: keeps all of it, and tells what the server asks in between. */
export class StreamInParts {
  readonly #parts: Buffer[] = []
  /** The line whose end has not come. */
  #line: Buffer[] = []
  /** Of the event whose end has not come. */
  #data: string[] = []

  /** The server's own requests in those events that end with these bytes. */
  add(bytes: Buffer): Record<string, unknown>[] {
    this.#parts.push(bytes)
    const end = bytes.lastIndexOf(newline) + 1
    if (end === 0) {
      this.#line.push(bytes)
      return []
    }
    const lines = Buffer.concat([...this.#line, bytes.subarray(0, end)])
      .toString()
      .split(/\r?\n/)
    this.#line = [bytes.subarray(end)]
    return lines.slice(0, -1).flatMap((line) => {
      const request = this.#read(line)
      return request === undefined ? [] : [request]
    })
  }

  /** All that came, and these bytes. */
  whole(last: Buffer): Buffer {
    return Buffer.concat([...this.#parts, last])
  }

  #read(line: string): Record<string, unknown> | undefined {
    const data = dataOf(line)
    if (data !== undefined) this.#data.push(data)
    if (line !== '') return undefined
    const text = this.#data.join('\n')
    this.#data = []
    // To read what may be large costs time that is measured.
    const message = text.includes('"method"') ? messageOf(text)?.message : undefined
    return message !== undefined && 'method' in message && 'id' in message ? message : undefined
  }
}
