import { guardedFetch } from './guarded-fetch.ts'
import { OutboundRefused } from './outbound-refused.ts'

/** What became of a message, without an error for what the other side did. */
export interface PostOutcome {
  wasDelivered: boolean
  /** Null when nothing answered. */
  responseStatus: number | null
  /** How the answer began, or why there was none. */
  responseExcerpt: string
  durationMs: number
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
  try {
    let seenBytes = 0
    const answer = await guardedFetch(url, {
      method: 'POST',
      headers: options.headers,
      body: options.body,
      maxBytes: answerBytesMax,
      maxRedirects: 0,
      timeoutMs,
      isEnough: (_headers, piece) => (seenBytes += piece.byteLength) >= excerptCharacters,
      allowLoopback: options.allowLoopback,
      allowedSchemes: options.allowLoopback ? ['https', 'http'] : ['https'],
    })
    return outcome(answer.status, excerptOf(answer.body))
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error
    return outcome(null, error.message)
  }
}

function excerptOf(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 4 * excerptCharacters))
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, excerptCharacters)
}
