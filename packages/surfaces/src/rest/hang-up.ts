import type { FastifyReply } from 'fastify'

/** Aborted when the client hangs up before it has the whole answer. */
export function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  const hungUp = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) hungUp.abort()
  })
  return hungUp.signal
}
