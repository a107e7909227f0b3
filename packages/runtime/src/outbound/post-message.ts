import { guardedFetch } from './guarded-fetch.ts'
import { OutboundRefused } from './outbound-refused.ts'
import { retryAfterSeconds } from './retry-after.ts'

/** What became of a message, without an error for what the other side did. */
export interface PostOutcome {
  wasDelivered: boolean
  /** Null when nothing answered. */
  responseStatus: number | null
  /** How the answer began, or why there was none. */
  responseExcerpt: string
  durationMs: number
  /** How long the other side asks to be left alone. */
  retryAfterSeconds?: number | undefined
}

interface PostOptions {
  headers: Readonly<Record<string, string>>
  body: string
  /** Comes from the configuration, never from a user. */
  allowLoopback: boolean
}

/** Standard Webhooks asks for 15 to 30 seconds. */
const timeoutMs = 15_000
const excerptCharacters = 300
/** Of an answer that does not end, one piece is read. */
const answerBytesMax = 1_048_576

/** Posts to an address that somebody else chose. Follows no redirect, and reads of the answer only how it begins. */
export async function postMessage(url: string, options: PostOptions): Promise<PostOutcome> {
  const startedAt = performance.now()
  const outcome = (status: number | null, text: string): PostOutcome => ({
    wasDelivered: status !== null && status >= 200 && status <= 299,
    responseStatus: status,
    responseExcerpt: text,
    durationMs: Math.round(performance.now() - startedAt),
  })
  // What came of the answer, however it ended: the status says what became of the message.
  const seen: { status?: number; retryAfter?: string | undefined; body: Uint8Array } = {
    body: new Uint8Array(),
  }
  try {
    await guardedFetch(url, {
      method: 'POST',
      headers: options.headers,
      body: options.body,
      maxBytes: answerBytesMax,
      maxRedirects: 0,
      timeoutMs,
      isEnough: (headers, piece, status) => {
        seen.status = status
        seen.retryAfter = headers['retry-after']
        seen.body = Buffer.concat([seen.body, piece])
        return seen.body.byteLength >= excerptCharacters
      },
      allowLoopback: options.allowLoopback,
      allowedSchemes: options.allowLoopback ? ['https', 'http'] : ['https'],
    })
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error
    if (seen.status === undefined) return outcome(null, error.message)
  }
  return {
    ...outcome(seen.status ?? null, excerptOf(seen.body)),
    retryAfterSeconds: retryAfterSeconds(seen.retryAfter, new Date()),
  }
}

function excerptOf(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 4 * excerptCharacters))
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, excerptCharacters)
}
