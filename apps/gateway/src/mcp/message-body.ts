import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'

/** The body is not JSON in UTF-8: JSON-RPC's "parse error". */
export class UnreadableMessage extends Error {
  readonly statusCode = 400
}

const messageBytesMax = 4 * 1_048_576

/** JSON and nothing else as the body of this scope's requests, up to 4 MiB. */
export function readMessageBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: messageBytesMax },
    async (_request: unknown, bytes: Buffer) => readMessage(bytes),
  )
}

function readMessage(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new UnreadableMessage('The body is not valid UTF-8.')
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch (cause) {
    throw new UnreadableMessage('The body is not valid JSON.', { cause })
  }
}
