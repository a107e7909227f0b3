import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Problem, type Operation, type Principal } from '@flamegate/contract'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'

/** Bodies of so many bytes are taken in at once, by all of a process; who comes then is told to come again. */
const bytesAtOnce = 64 * 2 ** 20
/** About what JSON of numbers is unpacked. */
const unpackedTimes = 8

/**
 * Routes whose bodies may be large: who is calling is asked before the body is taken in, gzip is unpacked as it comes, and no more
 * are taken in at once than there is memory for.
 */
export interface LargeBodies {
  /** For operations that say how large their bodies may be; nothing for all others. */
  optionsOf: (operation: Operation) => Pick<RouteShorthandOptions, 'bodyLimit' | 'onRequest' | 'preParsing'>
  /** Who was found to be calling before the body came. */
  callerOf: (request: FastifyRequest) => Principal | undefined
}

export function largeBodies(
  identify: (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>,
): LargeBodies {
  const principals = new WeakMap<FastifyRequest, Principal>()
  let bytesTaken = 0

  /** @throws Problem `rate_limited` */
  function takeRoom(request: FastifyRequest, reply: FastifyReply, bytesMax: number): void {
    const length = Number(request.headers['content-length'] ?? bytesMax)
    const bytes = Math.min(bytesMax, isPlain(request) ? length : length * unpackedTimes)
    if (bytesTaken > 0 && bytesTaken + bytes > bytesAtOnce) {
      throw new Problem('rate_limited', 'Too much comes at once. Send it again in 1 second.', {
        retryAfterSeconds: 1,
      })
    }
    bytesTaken += bytes
    reply.raw.once('close', () => (bytesTaken -= bytes))
  }

  return {
    optionsOf({ bodyBytesMax }) {
      if (bodyBytesMax === undefined) return {}
      return {
        bodyLimit: bodyBytesMax,
        onRequest: async (request, reply) => {
          principals.set(request, await identify(request, reply))
          takeRoom(request, reply, bodyBytesMax)
        },
        preParsing: async (request, reply, payload) =>
          isPlain(request) ? payload : unpacked(request, reply, payload),
      }
    },
    callerOf: (request) => principals.get(request),
  }
}

function isPlain({ headers }: FastifyRequest): boolean {
  return ['', 'identity'].includes(headers['content-encoding'] ?? '')
}

/** @throws Problem `unsupported_media_type` */
function unpacked({ headers }: FastifyRequest, reply: FastifyReply, payload: Readable): Readable {
  const encoding = headers['content-encoding'] ?? ''
  if (encoding !== 'gzip') {
    throw new Problem(
      'unsupported_media_type',
      `Bodies may be compressed with gzip, not with ${encoding.slice(0, 40)}.`,
    )
  }
  const plain = createGunzip()
  // Whoever reads it hears of what is wrong. After a refusal nobody does, and an error without a listener ends the process.
  plain.on('error', () => undefined)
  // Not `pipeline`, which would end the connection with what is no gzip, and the answer with it.
  payload.pipe(plain)
  payload.once('close', () => {
    if (!payload.readableEnded) plain.destroy(new Error('The body is cut off.'))
  })
  // Whatever is left is not unpacked any more, and read to its end.
  plain.once('close', () => payload.unpipe(plain).resume())
  reply.raw.once('close', () => plain.destroy())
  // How Fastify compares what came with what was announced.
  return Object.defineProperty(plain, 'receivedEncodedLength', { get: () => plain.bytesWritten })
}
