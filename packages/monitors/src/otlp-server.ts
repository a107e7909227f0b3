import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { decodeMetrics, decodeTraces, OtlpError, type OtlpSignal } from '@flamegate/live'

const bytesMax = 8_000_000

export interface OtlpServerOptions {
  host: string
  /** 0: any that is free. */
  port: number
  /** What is taken, at `/v1/metrics` and `/v1/traces`. */
  signals: readonly OtlpSignal[]
  /** Gets a request as OTLP/JSON has it. @throws OtlpError when it is none */
  take: (signal: OtlpSignal, request: unknown) => void
}

/**
 * Listens for what programs push over OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp
 * @throws Error when the port is taken
 */
export async function startOtlpServer(
  options: OtlpServerOptions,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((request, response) => void answer(request, response, options))
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { signals, take }: OtlpServerOptions,
): Promise<void> {
  try {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const signal = signals.find((each) => pathname === `/v1/${each}`)
    if (signal === undefined)
      throw new Refusal(404, `Taken are ${signals.map((each) => `${each} at /v1/${each}`).join(' and ')}.`)
    take(signal, contentOf(request, signal, await receive(request)))
    const isJson = isJsonOf(request)
    response.writeHead(200, { 'content-type': isJson ? 'application/json' : 'application/x-protobuf' })
    // No field set: everything was taken.
    response.end(isJson ? '{}' : '')
  } catch (error) {
    response.writeHead(error instanceof Refusal ? error.status : 400, {
      'content-type': 'text/plain',
      connection: 'close',
    })
    response.end(
      error instanceof OtlpError || error instanceof Refusal ? error.message : 'It cannot be read.',
    )
  }
}

/** A request that is none of ours. */
class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

async function receive(request: IncomingMessage): Promise<Uint8Array> {
  if (request.method !== 'POST') throw new Refusal(405, 'Send it by POST.')
  const type = request.headers['content-type']?.split(';')[0]
  // Web pages of others can send neither without asking.
  if (type !== 'application/x-protobuf' && type !== 'application/json')
    throw new Refusal(415, 'Send application/x-protobuf or application/json.')
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'gzip' && encoding !== 'identity')
    throw new Refusal(415, 'Send it packed as gzip, or not packed.')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes: Uint8Array = chunk
    size += bytes.length
    if (size > bytesMax) throw new Refusal(413, `Send ${bytesMax} bytes at most.`)
    chunks.push(bytes)
  }
  const sent = Buffer.concat(chunks)
  return encoding === 'gzip' ? gunzipSync(sent, { maxOutputLength: bytesMax }) : sent
}

function contentOf(request: IncomingMessage, signal: OtlpSignal, bytes: Uint8Array): unknown {
  if (isJsonOf(request)) return JSON.parse(Buffer.from(bytes).toString('utf8'))
  return signal === 'metrics' ? decodeMetrics(bytes) : decodeTraces(bytes)
}

function isJsonOf({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/json') === true
}
