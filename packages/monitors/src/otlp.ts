import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { otlpPoints, type OtlpPoint } from './otlp-points.ts'
import { decodeOtlp, OtlpError } from './otlp-protobuf.ts'
import { answerWithinMs, type Collector, type Reading } from './reading.ts'

const bytesMax = 8_000_000
/** Names are made up by programs. */
const namesMax = 5_000
/** Programs tell once a minute, if nobody says otherwise; what comes no more is gone. */
const forgetAfterMs = 180_000

/**
 * Listens on loopback for what programs push over OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp
 * @throws Error when the port is taken
 */
export async function otlpCollector(port: number): Promise<Collector> {
  const latest = new LatestPoints()
  const firstCame = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    void answer(request, response, (points) => {
      for (const point of points) latest.add(point)
      firstCame.resolve()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const waiting = AbortSignal.timeout(answerWithinMs)
  let hasWaited = false
  return {
    async read() {
      // Of the first one that asks: so that a check has something to show.
      if (!hasWaited) await Promise.race([firstCame.promise, aborted(waiting)])
      hasWaited = true
      return latest.readings()
    },
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
  take: (points: readonly OtlpPoint[]) => void,
): Promise<void> {
  try {
    take(await receive(request))
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

async function receive(request: IncomingMessage): Promise<OtlpPoint[]> {
  if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/v1/metrics')
    throw new Refusal(404, 'Metrics are taken at /v1/metrics.')
  if (request.method !== 'POST') throw new Refusal(405, 'Metrics come by POST.')
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
  const bytes = encoding === 'gzip' ? gunzipSync(sent, { maxOutputLength: bytesMax }) : sent
  return otlpPoints(isJsonOf(request) ? JSON.parse(bytes.toString('utf8')) : decodeOtlp(bytes))
}

function isJsonOf({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/json') === true
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The newest value of each counter. What only rises is told as what was added per second between two points. */
class LatestPoints {
  readonly #latest = new Map<string, { reading: Reading; point: OtlpPoint; cameAtMs: number }>()

  add(point: OtlpPoint): void {
    const before = this.#latest.get(point.name)
    if (before === undefined && this.#latest.size >= namesMax) return
    const { name, unit, means } = point
    this.#latest.set(name, {
      reading: {
        name,
        unit: means === 'level' ? unit : `${unit}/s`,
        kind: 'gauge',
        value: valueOf(point, before?.point) ?? before?.reading.value ?? 0,
        isUsual: true,
      },
      point,
      cameAtMs: performance.now(),
    })
  }

  readings(): Reading[] {
    const oldest = performance.now() - forgetAfterMs
    for (const [name, { cameAtMs }] of this.#latest) if (cameAtMs < oldest) this.#latest.delete(name)
    return [...this.#latest.values()].map(({ reading }) => reading)
  }
}

/** @returns undefined where a time in which something was added is not known */
function valueOf(point: OtlpPoint, before: OtlpPoint | undefined): number | undefined {
  if (point.means === 'level') return point.value
  if (point.means === 'added') return perSecond(point.value, point.startMs || before?.atMs || 0, point.atMs)
  if (before === undefined) return undefined
  const isAnew = point.value < before.value
  return perSecond(isAnew ? point.value : point.value - before.value, before.atMs, point.atMs)
}

function perSecond(added: number, fromMs: number, toMs: number): number | undefined {
  return fromMs > 0 && toMs > fromMs ? (added * 1000) / (toMs - fromMs) : undefined
}
