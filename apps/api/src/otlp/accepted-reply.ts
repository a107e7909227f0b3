import type { FastifyReply } from 'fastify'
import { lengthDelimitedField } from '../pushed/protobuf-fields.ts'

/**
 * Everything was taken, or `partial_success` says what was not; exporters show its words to whoever looks.
 * @see https://opentelemetry.io/docs/specs/otlp/#partial-success-1
 */
export function acceptedReply(reply: FastifyReply, isJson: boolean, leftOut: number): FastifyReply {
  const message = `There was no room for ${leftOut} names. Give spans and metrics fewer different ones.`
  if (isJson) {
    const said = leftOut === 0 ? {} : { partialSuccess: { errorMessage: message } }
    return reply.type('application/json').send(JSON.stringify(said))
  }
  const said = lengthDelimitedField(1, lengthDelimitedField(2, Buffer.from(message)))
  return reply.type('application/x-protobuf').send(leftOut === 0 ? Buffer.alloc(0) : said)
}
