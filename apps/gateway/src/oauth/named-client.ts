import type { FastifyRequest } from 'fastify'
import { decodeJwt, errors } from 'jose'

/**
 * The client that a token request names, before anything is proved: in its parameters, in the user of Basic
 * authentication, or as the subject of an assertion. Empty when it names none.
 */
export function namedClient({ headers }: FastifyRequest, parameters: URLSearchParams): string {
  const encoded = /^Basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  const [user = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  return parameters.get('client_id') || user || subjectOf(parameters.get('client_assertion') ?? '')
}

function subjectOf(assertion: string): string {
  try {
    // Nothing was verified: what ought to be a name may be anything.
    const { sub }: { sub?: unknown } = decodeJwt(assertion)
    return typeof sub === 'string' ? sub : ''
  } catch (error) {
    if (error instanceof errors.JOSEError) return ''
    throw error
  }
}
