import type { Send } from '@flamegate/doctor'

const timeoutMs = 15_000
/** An answer is looked at up to here. */
const bodyCharactersMax = 4_000_000

/** Sends over the network of this computer, whatever the address: it is the person's own who asked. */
export const sendOverFetch: Send = async ({ method, url, headers, body }) => {
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await readSome(response),
    }
  } catch (cause) {
    const reason =
      cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause)
    throw new Error(`${method} ${url} had no answer: ${reason}`, { cause })
  }
}

/** A stream that a server keeps open ends with the time that there is. */
async function readSome(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  if (response.body === null) return text
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    const isStream = response.headers.get('content-type')?.includes('event-stream') === true
    // Of a stream, one whole message is enough.
    if (text.length > bodyCharactersMax || (isStream && /^data:.*\r?\n\r?\n/m.test(text))) break
  }
  return text
}
