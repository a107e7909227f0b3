import { afterEach, expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { createServer } from '../server.ts'
import { addTraceHeaders, withSpan } from './spans.ts'
import { startTracing } from './start-tracing.ts'
import { startCollector } from './test-collector.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

test('without an endpoint nothing is traced and nothing is sent along', async () => {
  expect(await startTracing('test', undefined)).toBeUndefined()
  expect(await withSpan('work', {}, () => Promise.resolve(addTraceHeaders({})))).toEqual({})
})

test('a request, what runs inside it and the next process are one trace, below that of the caller', async () => {
  const collector = await startCollector()
  closers.push(() => collector.close())
  const tracing = await startTracing('test', collector.url)
  const app = createServer({ log: createLogger({ level: 'silent' }), isTraced: true })
  app.get('/things/:id', () => withSpan('find', { id: 7 }, () => Promise.resolve(addTraceHeaders({}))))
  closers.push(() => app.close())
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const response = await app.inject({
    url: '/things/7',
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  })
  await tracing?.stop()

  const [inner, outer] = collector.spans()
  expect([inner?.name, outer?.name]).toEqual(['find', 'GET /things/:id'])
  expect([inner?.traceId, outer?.traceId]).toEqual([traceId, traceId])
  expect([inner?.parentSpanId, outer?.parentSpanId]).toEqual([outer?.spanId, 'b7ad6b7169203331'])
  expect(response.json()).toEqual({ traceparent: `00-${traceId}-${inner?.spanId}-01` })
})
