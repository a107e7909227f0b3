import fastify from 'fastify'
import { expect, test } from 'vitest'
import { addMetricsRoute, createMetricsRegistry, measureRequests } from './metrics.ts'

function server() {
  const app = fastify()
  const registry = createMetricsRegistry()
  measureRequests(app, registry)
  addMetricsRoute(app, registry, { token: 'scraper' })
  app.get('/runs/:id', async () => 'ok')
  return app
}

test('/metrics counts requests by route template and shows process metrics', async () => {
  const app = server()
  await app.inject('/runs/1')
  await app.inject('/runs/2')
  await app.inject('/nothing/here')
  const text = (await app.inject('/metrics')).body
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/runs/:id",status="200"} 2')
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1')
  expect(text).toContain('process_cpu_seconds_total')
})

test.each([
  { from: '127.0.0.1', headers: {}, status: 200 },
  { from: '::1', headers: {}, status: 200 },
  { from: '::ffff:127.0.0.1', headers: {}, status: 200 },
  { from: '203.0.113.9', headers: {}, status: 404 },
  { from: '127.0.0.1', headers: { 'x-forwarded-for': '127.0.0.1' }, status: 404 },
  { from: '203.0.113.9', headers: { authorization: 'Bearer scraper' }, status: 200 },
  { from: '203.0.113.9', headers: { authorization: 'Bearer scrape' }, status: 404 },
  {
    from: '127.0.0.1',
    headers: { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer scraper' },
    status: 200,
  },
])('/metrics for $from with $headers answers $status', async ({ from, headers, status }) => {
  const answer = await server().inject({ url: '/metrics', remoteAddress: from, headers })
  expect(answer.statusCode).toBe(status)
})
