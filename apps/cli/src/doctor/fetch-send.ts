import type { Send } from '@flamegate/doctor'

const timeoutMs = 10_000
/** An answer is looked at up to here. */
const bodyCharactersMax = 4_000_000

/** Sends over the network of this computer, whatever the address: it is the person's own who asked. */
export const sendOverFetch: Send = async ({ method, url, headers, body, isEnough }) => {
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const received = Object.fromEntries(response.headers)
    return {
      status: response.status,
      headers: received,
      body: await readSome(response, (piece) => isEnough(received, piece)),
    }
  } catch (cause) {
    const reason =
      cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause)
    throw new Error(`${method} ${url} had no answer: ${reason}`, { cause })
  }
}

async function readSome(response: Response, isEnough: (piece: string) => boolean): Promise<string> {
  let text = ''
  if (response.body === null) return text
  if (isEnough('')) {
    await response.body.cancel()
    return text
  }
  const decoder = new TextDecoder()
  // Leaving the loop ends the exchange.
  for await (const chunk of response.body) {
    const piece = decoder.decode(chunk, { stream: true })
    text += piece
    if (text.length > bodyCharactersMax || isEnough(piece)) break
  }
  return text
}
