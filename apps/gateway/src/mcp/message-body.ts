import { isUtf8 } from 'node:buffer'
import { callBytesMax } from '@flamegate/surfaces'
import type { FastifyInstance } from 'fastify'

/** The body is not JSON in UTF-8: JSON-RPC's "parse error". */
export class UnreadableMessage extends Error {
  readonly statusCode = 400
}

/** What comes after this reads messages with recursion: the SDK, its schemas, and we when we pass an input on. */
const nestingMax = 500

/** JSON and nothing else as the body of this scope's requests, as large as a call may be. */
export function readMessageBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: callBytesMax },
    async (_request: unknown, bytes: Buffer) => readMessage(bytes),
  )
}

function readMessage(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new UnreadableMessage('The body is not valid UTF-8.')
  if (nestingOf(bytes) > nestingMax)
    throw new UnreadableMessage(`The body is nested more than ${nestingMax} deep.`)
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch (cause) {
    throw new UnreadableMessage('The body is not valid JSON.', { cause })
  }
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]')

/** How deep lists and objects are in each other at most. */
function nestingOf(json: Buffer): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (isText) {
      if (byte === backslash) at += 1
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1
  }
  return deepest
}
