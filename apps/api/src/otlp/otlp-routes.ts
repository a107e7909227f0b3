import { operations, Problem, type Principal } from '@flamegate/contract'
import { decodeMetrics, decodeTraces, OtlpError, type OtlpSignal } from '@flamegate/live'
import type { Execute } from '@flamegate/operations'
import { noteForAccessLog } from '@flamegate/runtime'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { jsonBody } from '../pushed/json-body.ts'
import { isJson, otlpErrors } from '../pushed/push-replies.ts'
import { needType, plainBody } from '../pushed/pushed-body.ts'
import { pushedBytesMax } from '../pushed/pushed-profile.ts'
import { acceptedReply } from './accepted-reply.ts'

interface Options {
  /** @throws Problem `unauthenticated` */
  identify: (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>
  execute: Execute
}

interface OtlpRequest {
  Params: { live_app_id: string }
  Body: Uint8Array | undefined
}

/** Objects and lists of a request as JSON, which take far longer to read than their bytes. */
const containersMax = 500_000

const answer = operations.pushOtlp.output.pick({ left_out: true })

/**
 * Where exporters of OpenTelemetry send metrics and traces of a live app, over OTLP/HTTP:
 * `/v1/live-apps/{live_app_id}/otlp` is what they are told as their endpoint.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export function otlpRoutes({ identify, execute }: Options): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.setErrorHandler(otlpErrors)
    const principals = new WeakMap<FastifyRequest, Principal>()
    // Before the body is taken in.
    app.addHook('onRequest', async (request, reply) => {
      noteForAccessLog(request, { operation: operations.pushOtlp.id })
      principals.set(request, await identify(request, reply))
    })

    const prefix = '/v1/live-apps/:live_app_id/otlp/v1'
    for (const signal of ['metrics', 'traces'] as const) {
      app.post<OtlpRequest>(`${prefix}/${signal}`, { bodyLimit: pushedBytesMax }, async (request, reply) => {
        const principal = principals.get(request)
        if (principal === undefined) throw new TypeError('A request came past its hook')
        const input = {
          live_app_id: request.params.live_app_id,
          signal,
          request: await contentOf(request, signal),
        }
        const origin = { principal, requestId: request.id, ip: request.ip }
        const { left_out: leftOut } = answer.parse(await execute(operations.pushOtlp, input, origin))
        return acceptedReply(reply, isJson(request), leftOut)
      })
    }
    // Exporters of all three share one setting.
    app.post(`${prefix}/logs`, () => {
      throw new Problem(
        'not_found',
        'Metrics and traces are taken here, and no logs. OTEL_LOGS_EXPORTER=none makes the program send none.',
      )
    })
  }
}

/** The request as OTLP/JSON has it. */
async function contentOf(request: FastifyRequest<OtlpRequest>, signal: OtlpSignal): Promise<unknown> {
  const { headers, body } = request
  needType(headers['content-type'], ['application/x-protobuf', 'application/json'])
  const bytes = await plainBody(body ?? new Uint8Array(), headers['content-encoding'])
  if (isJson(request)) return jsonBody(bytes, containersMax)
  try {
    return (signal === 'metrics' ? decodeMetrics : decodeTraces)(bytes)
  } catch (cause) {
    if (!(cause instanceof OtlpError)) throw cause
    throw new Problem('malformed_request', `The body is no message of OTLP. ${cause.message}`, { cause })
  }
}
