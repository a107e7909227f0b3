import { afterEach, expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { createServer } from '../server.ts'
import { addTraceHeaders, withSpanBelow } from './spans.ts'
import { startTracing } from './start-tracing.ts'
import { startCollector } from './test-collector.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

test('a message that brings its own trace is in that one, linked to the request that it came with', async () => {
  const collector = await startCollector()
  closers.push(() => collector.close())
  const tracing = await startTracing('test', collector.url)
  const app = createServer({ log: createLogger({ level: 'silent' }), isTraced: true })
  const [ofRequest, ofMessage] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331b7ad6b7169203331']
  const carrier = { traceparent: `00-${ofMessage}-00f067aa0ba902b7-01` }
  app.get('/', () => withSpanBelow(carrier, 'tools/call', () => Promise.resolve(addTraceHeaders({}))))
  closers.push(() => app.close())
  const response = await app.inject({
    url: '/',
    headers: { traceparent: `00-${ofRequest}-b7ad6b7169203331-01` },
  })
  await tracing?.stop()

  const [message, request] = collector.spans()
  expect([message?.name, message?.traceId, message?.parentSpanId]).toEqual([
    'tools/call',
    ofMessage,
    '00f067aa0ba902b7',
  ])
  expect(message?.links).toEqual([expect.objectContaining({ traceId: ofRequest, spanId: request?.spanId })])
  expect(response.json()).toEqual({ traceparent: `00-${ofMessage}-${message?.spanId}-01` })
})
