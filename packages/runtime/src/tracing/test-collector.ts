import { createServer } from 'node:http'

export interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** Of the process that sent it. */
  service: string
  /** 2 is an error. */
  status?: { code?: number; message?: string }
  attributes?: { key: string; value: { stringValue?: string } }[]
  links?: { traceId: string; spanId: string }[]
}

/** A collector that keeps what it is sent, as OTLP in JSON. */
export async function startCollector(): Promise<{ url: string; spans: () => SentSpan[]; close(): void }> {
  const spans: SentSpan[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        const service = resource.attributes.find(({ key }: { key: string }) => key === 'service.name')?.value
        for (const scope of scopeSpans) {
          for (const span of scope.spans) spans.push({ ...span, service: service?.stringValue })
        }
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, spans: () => spans, close: () => void server.close() }
}
