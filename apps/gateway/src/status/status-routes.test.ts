import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway('https://flamegate.example')
})
afterAll(() => gateway?.close())

test('/status is a page for anybody, which caches keep for seconds and which loads nothing', async () => {
  const { app } = gateway
  const page = await app.inject('/status')
  expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'public, max-age=10',
  ])
  expect(page.body).toContain('Everything works.')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("script-src 'none'")
  expect(policy).toMatch(/style-src 'sha256-[^']+'/)
  expect(page.headers['set-cookie']).toBeUndefined()
  const again = await app.inject({ url: '/status', headers: { 'if-none-match': page.headers.etag } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('programs get JSON, by its own name or by asking for it', async () => {
  const { app } = gateway
  const named = await app.inject('/status.json')
  const asked = await app.inject({ url: '/status', headers: { accept: 'application/json' } })
  expect(asked.json()).toEqual(named.json())
  expect(named.json()).toMatchObject({ status: 'operational', incidents: [] })
  expect(named.headers['access-control-allow-origin']).toBe('*')
})
