/** One HTTP request that a check makes. */
export interface AskedRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Only status and headers count: the body may be a stream without an end, and is not waited for. */
  isProbe?: boolean
}

/** What came back. Redirects are not followed. */
export interface Sent {
  /** 0 when nothing came back; `body` then says why. */
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  body: string
}

/** The same as it goes out. */
export interface SentRequest extends Omit<AskedRequest, 'isProbe'> {
  /** To be shown each piece of the body as it comes, an empty one first; when true, nothing more is read. */
  isEnough: (headers: Sent['headers'], piece: string) => boolean
}

/** Sends one request, within bounds of time and of bytes; rejects, with words for a person, when nothing came back. */
export type Send = (request: SentRequest) => Promise<Sent>

/** What checks send with: it never rejects, so that a request without an answer ends no examination. */
export type Exchange = (request: AskedRequest) => Promise<Sent>

export function exchangeOver(send: Send): Exchange {
  return async ({ isProbe = false, ...request }) => {
    try {
      return await send({ ...request, isEnough: isProbe ? () => true : endOfAnswer() })
    } catch (error) {
      return { status: 0, headers: {}, body: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** Servers may leave a stream open behind the answer. What looking for its end costs grows with the pieces alone. */
function endOfAnswer(): SentRequest['isEnough'] {
  let hasAnswer = false
  let rest = ''
  return (headers, piece) => {
    if (headers['content-type']?.includes('event-stream') !== true) return false
    // An empty event may come before the answer, and notifications; a blank line ends it.
    const unread = rest + piece
    let readTo = 0
    for (const { 0: found, index } of unread.matchAll(/"(?:result|error)"|\r?\n\r?\n/g)) {
      if (found.startsWith('"')) hasAnswer = true
      else if (hasAnswer) return true
      readTo = index + found.length
    }
    rest = unread.slice(Math.max(readTo, unread.length - '"result'.length))
    return false
  }
}

/** How a request was answered, to be put behind its name: `was answered with 405`. */
export function outcome({ status, body }: Sent): string {
  return status === 0 ? `was not answered: ${body.replace(/\.$/, '')}` : `was answered with ${status}`
}

type Json = Record<string, unknown>

/** The body as a JSON object; undefined when it is none. */
export function jsonObject({ body }: Sent): Json | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The texts in a list; empty when it is no list. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** A text, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** As a page of MCP Inspector reads it: many servers send CORS headers only to pages. */
export const fromAPage = { accept: 'application/json', origin: 'http://localhost:6274' }
export const asJson = { 'content-type': 'application/json', accept: 'application/json' }
export const asForm = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
