import type { FastifyReply } from 'fastify'
import type { ProgressParams } from './progress.ts'

/** An answer that becomes a stream of server-sent events with the first thing told before it. */
export interface AnswerStream {
  hasBegun(): boolean
  tell: (params: ProgressParams) => void
  /** Sends the answer, JSON, as the last event. */
  end(answer: string | Buffer): FastifyReply
}

export function openAnswerStream(reply: FastifyReply): AnswerStream {
  const { raw } = reply
  let hasBegun = false

  function begin(): void {
    if (hasBegun) return
    hasBegun = true
    // Past Fastify, which sends one piece.
    reply.hijack()
    reply.headers({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value)
    }
  }

  return {
    hasBegun: () => hasBegun,
    tell(params) {
      begin()
      raw.write(event(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })))
    },
    end(answer) {
      raw.end(event(answer.toString()))
      return reply
    },
  }
}

/** JSON has no line breaks of its own, so that one line of data is enough. */
function event(json: string): string {
  return `event: message\ndata: ${json}\n\n`
}
