import { createServer } from 'node:http'

export interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  links?: { traceId: string; spanId: string }[]
}

/** A collector that keeps what it is sent, as OTLP in JSON. */
export async function startCollector(): Promise<{ url: string; spans: () => SentSpan[]; close(): void }> {
  const spans: SentSpan[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      for (const resource of JSON.parse(body).resourceSpans) {
        for (const scope of resource.scopeSpans) spans.push(...scope.spans)
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, spans: () => spans, close: () => void server.close() }
}
