import { openRawClient } from './raw-client.ts'
import type { RawClient } from './raw-client.ts'

export interface ClosedLoop {
  url: string
  connections: number
  seconds: number
  /** How often each client sends; as soon as it has its answer when left out. */
  everyMs?: number | undefined
  /** The whole HTTP/1.1 message for the request with this number. */
  requestText: (id: number) => string
  /** Whether this body answers the request with this number; asked for one in `checkedEvery`. */
  isAnswer: (body: string, id: number) => boolean
}

export interface LoadResult {
  requests: number
  seconds: number
  statuses: Record<string, number>
  /** Answers that were no answer to their request, among those that were read. */
  wrongAnswers: number
  p50Ms: number
  p99Ms: number
  /** The last answer that was read, for comparison with those of others. */
  sample: string
}

const checkedEvery = 50

/** So many clients that each send the next request when the last one was answered. */
export async function runClosedLoop(loop: ClosedLoop): Promise<LoadResult> {
  const latenciesMs: number[] = []
  const statuses: Record<string, number> = {}
  let wrongAnswers = 0
  let sample = ''
  let lastId = 0
  const startedAt = performance.now()
  const endsAt = startedAt + loop.seconds * 1000

  function keepAsking(client: RawClient, dueAt: number, done: () => void): void {
    const now = performance.now()
    if (now >= endsAt) return done()
    const nextDueAt = dueAt + (loop.everyMs ?? 0)
    if (loop.everyMs !== undefined && dueAt > now) {
      // A timer that goes off late is not the server's fault: time runs from when it does.
      setTimeout(() => keepAsking(client, performance.now(), done), dueAt - now)
      return
    }
    const id = ++lastId
    // Whoever waited too long for the last answer sends late: that is the server's fault, and counts.
    const sentAt = loop.everyMs === undefined ? now : dueAt
    client.send(loop.requestText(id), ({ status, readBody }) => {
      latenciesMs.push(performance.now() - sentAt)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (sample === '' || id % checkedEvery === 0) {
        sample = messageOf(readBody())
        if (!loop.isAnswer(sample, id)) wrongAnswers += 1
      }
      keepAsking(client, nextDueAt, done)
    })
  }

  async function oneConnection(): Promise<void> {
    const { promise: failed, reject: fail } = Promise.withResolvers<never>()
    const client = await openRawClient(loop.url, fail)
    const done = new Promise<void>((resolve) => {
      // Not all at the same moment.
      keepAsking(client, startedAt + Math.random() * (loop.everyMs ?? 0), resolve)
    })
    await Promise.race([done, failed])
    client.close()
  }

  await Promise.all(Array.from({ length: loop.connections }, oneConnection))
  latenciesMs.sort((a, b) => a - b)
  const quantile = (q: number) => latenciesMs[Math.floor(q * (latenciesMs.length - 1))] ?? Number.NaN
  return {
    requests: latenciesMs.length,
    seconds: (performance.now() - startedAt) / 1000,
    statuses,
    wrongAnswers,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    sample,
  }
}

/** A POST of JSON to `/mcp`, as text. */
export function mcpRequestText(token: string, host: string, body: string, session?: string): string {
  const head = [
    'POST /mcp HTTP/1.1',
    `host: ${host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    // As Node's fetch sends it, which the SDK's clients use.
    'accept-encoding: gzip, deflate',
    'mcp-protocol-version: 2025-11-25',
    ...(session === undefined ? [] : [`mcp-session-id: ${session}`]),
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** The message in a body: the body itself, or what the last event of a stream holds. */
function messageOf(body: string): string {
  const data = body.split(/\r?\n/).findLast((line) => line.startsWith('data: {'))
  return data?.slice('data: '.length) ?? body
}

/** Whether this is a result without an error to that request. */
export function isRpcResult(text: string, id: number): boolean {
  try {
    const { jsonrpc, id: answered, result } = JSON.parse(text)
    return jsonrpc === '2.0' && answered === id && typeof result === 'object' && result.isError !== true
  } catch {
    return false
  }
}
