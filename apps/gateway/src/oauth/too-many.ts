import { Problem } from '@flamegate/contract'
import type { FastifyReply } from 'fastify'
import { allowAnyOrigin } from './cors.ts'
import { sendErrorPage } from './render-error.ts'

/**
 * Tells a client in the words of OAuth when to come back.
 * @param what Such as `registrations`.
 */
export function tooMany(reply: FastifyReply, what: string, retryAfterSeconds: number): FastifyReply {
  return allowAnyOrigin(refuse(reply, retryAfterSeconds)).send({
    error,
    error_description: `Too many ${what} from your address. Try again in ${retryAfterSeconds} seconds.`,
  })
}

/** Tells a person the same. */
export function tooManyPage(reply: FastifyReply, what: string, retryAfterSeconds: number): FastifyReply {
  const description = `Too many ${what} from your address. Go back and try again in ${retryAfterSeconds} seconds.`
  return sendErrorPage(refuse(reply, retryAfterSeconds), error, description)
}

/** What a limit that counts says; undefined when it lets the request pass. */
export async function secondsToWait(counting: Promise<unknown>): Promise<number | undefined> {
  try {
    await counting
    return undefined
  } catch (problem) {
    if (problem instanceof Problem) return problem.retryAfterSeconds ?? 1
    throw problem
  }
}

const error = 'temporarily_unavailable'

function refuse(reply: FastifyReply, retryAfterSeconds: number): FastifyReply {
  return reply.code(429).header('retry-after', String(retryAfterSeconds)).header('cache-control', 'no-store')
}
