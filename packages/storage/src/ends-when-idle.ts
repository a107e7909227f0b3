import type { Readable } from 'node:stream'

/** An upload that sends nothing for this long is given up. */
const idleMs = 30_000

/** How long a refused client may go on sending. */
const refusalWithinMs = 2_000

/**
 * The body's chunks, until it ends or stalls. When the reader stops early the rest is thrown away for a moment, so that
 * the client gets to read the refusal, and then the connection is cut.
 */
export async function* endsWhenIdle(body: Readable): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => body.destroy(new Error('The upload stopped.')), idleMs)
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      timer.refresh()
      yield chunk
    }
  } finally {
    clearTimeout(timer)
    if (!body.readableEnded && !body.destroyed) {
      const cut = setTimeout(() => body.destroy(), refusalWithinMs)
      body.once('close', () => clearTimeout(cut)).resume()
    }
  }
}
