import { answerWithinMs } from './reading.ts'

/** An address over HTTP, and with what. */
export interface WebAddress {
  target_url: string
  user: string
}

const bytesMax = 20_000_000

/**
 * What an address answers. It is not followed elsewhere, where the secret would go with it.
 * @throws Error that says what went wrong
 */
export async function fetchText(
  { target_url: url, user }: WebAddress,
  secret: string | null,
  request: { method?: 'POST'; body?: string; headers?: Record<string, string> } = {},
): Promise<string> {
  const authorization = authorizationOf(user, secret)
  const response = await fetch(url, {
    ...request,
    headers: { ...request.headers, ...(authorization === undefined ? {} : { authorization }) },
    redirect: 'manual',
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch((error: unknown) => {
    throw new Error(`No answer: ${wordsOf(error)}`, { cause: error })
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(
      `It answered ${response.status}${response.status === 401 ? ': look at user and secret' : ''}.`,
    )
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > bytesMax) throw new Error(`It answered more than ${bytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function authorizationOf(user: string, secret: string | null): string | undefined {
  if (user !== '') return `Basic ${Buffer.from(`${user}:${secret ?? ''}`).toString('base64')}`
  return secret === null ? undefined : `Bearer ${secret}`
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it took longer than ${answerWithinMs / 1000} s`
  return error.cause instanceof Error ? error.cause.message : error.message
}
