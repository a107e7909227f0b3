import { Problem } from '@flamegate/contract'
import { afterEach, expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { createServer } from '../server.ts'
import { addTraceHeaders, withJobSpan, withSpan } from './spans.ts'
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

test('a job is below whoever queued it, whatever runs around it', async () => {
  const collector = await startCollector()
  closers.push(() => collector.close())
  const tracing = await startTracing('test', collector.url)
  const queued = await withSpan('ask', {}, () => Promise.resolve(addTraceHeaders({})))
  await withSpan('another', {}, () => withJobSpan(queued, 'import', {}, () => Promise.resolve()))
  await withJobSpan(undefined, 'alone', {}, () => Promise.resolve())
  await tracing?.stop()
  const span = (name: string) => collector.spans().find((each) => each.name === name)
  expect(span('import')).toMatchObject({ traceId: span('ask')?.traceId, parentSpanId: span('ask')?.spanId })
  expect(span('alone')?.traceId).not.toBe(span('ask')?.traceId)
})

const failing = (name: string, error: Error) =>
  expect(withSpan(name, {}, () => Promise.reject(error))).rejects.toBe(error)

test('a span tells the kind of an error and never its words, and what a caller did wrong is no error of ours', async () => {
  const collector = await startCollector()
  closers.push(() => collector.close())
  const tracing = await startTracing('test', collector.url)
  await failing('theirs', new Problem('invalid_input', 'The field is hunter2.'))
  await failing('ours', new TypeError('password hunter2 is not a function'))
  await tracing?.stop()
  expect(JSON.stringify(collector.spans())).not.toContain('hunter2')
  expect(
    collector
      .spans()
      .map(({ name, status, attributes = [] }) => [
        name,
        status?.code,
        attributes.find(({ key }) => key === 'error.type')?.value.stringValue,
      ]),
  ).toEqual([
    ['theirs', 0, 'invalid_input'],
    ['ours', 2, 'TypeError'],
  ])
})

test('of all traces so many are made as was asked for, whatever the caller says', async () => {
  const collector = await startCollector()
  closers.push(() => collector.close())
  const tracing = await startTracing('test', collector.url, 0.5)
  for (let index = 0; index < 64; index += 1) {
    // The id decides: half of them begin with a digit below 8.
    const traceId = `${(index % 16).toString(16)}af7651916cd43dd8448eb211c803${(index + 16).toString(16).padStart(3, '0')}`
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`
    await withJobSpan({ traceparent }, 'asked', {}, () => Promise.resolve())
  }
  await tracing?.stop()
  const made = collector.spans().length
  expect([made > 8, made < 56]).toEqual([true, true])
})
