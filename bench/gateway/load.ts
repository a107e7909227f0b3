import { Client } from 'undici'

/** One measurement: `connections` clients that each send the next request when the last one was answered. */
export interface LoadOrder {
  url: string
  token: string
  call: 'tools/call' | 'tools/list'
  connections: number
  seconds: number
}

export interface LoadResult {
  requests: number
  seconds: number
  statuses: Record<string, number>
  /** Answers that were no answer to their request, among those that were read (one in `checkedEvery`). */
  wrongAnswers: number
  p50Ms: number
  p99Ms: number
  /** The last answer, for comparison with those of the others. */
  sample: string
}

const checkedEvery = 50
const paramsOf = {
  'tools/call': '{"name":"find_tools","arguments":{"query":"flame graph profile","limit":5}}',
  'tools/list': '{}',
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: '' })

async function run(order: LoadOrder): Promise<LoadResult> {
  const latenciesMs: number[] = []
  const statuses: Record<string, number> = {}
  let wrongAnswers = 0
  let sample = ''
  let lastId = 0
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000

  function keepAsking(client: Client, done: () => void, fail: (error: unknown) => void): void {
    if (performance.now() >= endsAt) return done()
    const id = ++lastId
    const sentAt = performance.now()
    const next = (status: number, body: Buffer) => {
      latenciesMs.push(performance.now() - sentAt)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (sample === '' || id % checkedEvery === 0) {
        sample = body.toString()
        if (!answers(sample, id)) wrongAnswers += 1
      }
      keepAsking(client, done, fail)
    }
    send(client, order, id, { next, fail })
  }

  async function oneConnection(): Promise<void> {
    const client = new Client(order.url, { pipelining: 1, headersTimeout: 60_000 })
    await new Promise<void>((resolve, reject) => {
      keepAsking(client, resolve, reject)
    })
    await client.close()
  }

  await Promise.all(Array.from({ length: order.connections }, oneConnection))
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

function answers(text: string, id: number): boolean {
  try {
    const { jsonrpc, id: answered, result } = JSON.parse(text)
    return jsonrpc === '2.0' && answered === id && typeof result === 'object' && result.isError !== true
  } catch {
    return false
  }
}

function send(
  client: Client,
  order: LoadOrder,
  id: number,
  on: { next: (status: number, body: Buffer) => void; fail: (error: unknown) => void },
): void {
  const chunks: Buffer[] = []
  let status = 0
  client.dispatch(
    {
      method: 'POST',
      path: '/mcp',
      headers: {
        host: 'localhost',
        authorization: `Bearer ${order.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: `{"jsonrpc":"2.0","id":${id},"method":"${order.call}","params":${paramsOf[order.call]}}`,
    },
    {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk)
      },
      onResponseEnd: () => on.next(status, Buffer.concat(chunks)),
      onResponseError: (_controller, error) => on.fail(error),
    },
  )
}
