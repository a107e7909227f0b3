import { createSecureServer, createServer } from 'node:http2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../testing/run.ts'
import { selfSignedCertificate } from '../testing/self-signed-certificate.ts'
import { portOf } from '../testing/test-server.ts'
import type { ActionResult } from '../ports.ts'

let sessions = 0
const secure = createSecureServer({ ...selfSignedCertificate(), allowHTTP1: true }, (request, response) => {
  response.setHeader('x-version', request.httpVersion)
  response.setHeader('set-cookie', ['a=1', 'b=2'])
  request.resume().on('end', () => response.end(`${request.method} ${request.headers['cookie'] ?? ''}`))
})
const plain = createServer((request, response) => response.end(request.httpVersion))
const open = new Set<{ destroy: () => void }>()
for (const server of [secure, plain])
  server.on('session', (session) => {
    sessions++
    open.add(session)
  })

beforeAll(async () => {
  for (const server of [secure, plain])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const session of open) session.destroy()
  secure.close()
  plain.close()
})

const get = (more: Record<string, unknown> = {}) => ({
  type: 'http_request',
  method: 'GET',
  server_id: 'srv',
  path: '/',
  ...more,
})
const textOf = (result: ActionResult | undefined) => result?.exchanges[0]?.exchange.response?.body?.content

test('HTTP/2 is spoken where the server is said to, with cookies, bodies and one connection for all', async () => {
  sessions = 0
  const list = Array.from({ length: 10 }, (_, index) => ({
    id: `r${index}`,
    server_id: 'srv',
    path: `/${index}`,
  }))
  const { results } = await run(
    [
      get(),
      get({ method: 'POST', body: { type: 'raw', text: 'x' } }),
      get({ resources: { mode: 'listed', list } }),
    ],
    {
      servers: {
        srv: { base_url: `https://localhost:${portOf(secure)}`, http_version: 'h2', tls: { verify: false } },
      },
    },
  )
  expect(results.map(({ failure }) => failure)).toEqual([null, null, null])
  expect(results.slice(0, 2).map(textOf)).toEqual(['GET ', 'POST a=1; b=2'])
  const exchange = results[0]?.exchanges[0]?.exchange
  expect(exchange?.response?.headers).toContainEqual({ name: 'x-version', value: '2.0' })
  expect(exchange).toMatchObject({ request: { httpVersion: 'HTTP/2' }, timings: { sendMs: null } })
  expect(sessions).toBe(1)
})

test('HTTP/2 is spoken without TLS, where the server is said to', async () => {
  const { results } = await run([get()], {
    servers: { srv: { base_url: `http://127.0.0.1:${portOf(plain)}`, http_version: 'h2' } },
  })
  expect(results[0]?.failure).toBeNull()
  expect(textOf(results[0])).toBe('2.0')
})

test('HTTP/1.1 is spoken where HTTP/2 is not asked for', async () => {
  const { results } = await run([get()], {
    servers: { srv: { base_url: `https://localhost:${portOf(secure)}`, tls: { verify: false } } },
  })
  expect(results[0]?.exchanges[0]?.exchange.response?.headers).toContainEqual({
    name: 'x-version',
    value: '1.1',
  })
})
