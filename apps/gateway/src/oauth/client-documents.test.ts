import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FetchDocument } from './client-documents.ts'
import {
  authorize,
  exchange,
  openBrowser,
  requestAuthorization,
  startTestSite,
  tryToken,
} from './test-site.ts'
import type { TestSite } from './test-site.ts'

let documents: Record<string, { status?: number; body: string }> = {}
let fetched: string[] = []

const fetchDocument: FetchDocument = async (url) => {
  fetched.push(url)
  const { status = 200, body } = documents[url] ?? { status: 404, body: 'not found' }
  return { status, url, headers: { 'cache-control': 'max-age=60' }, body: Buffer.from(body) }
}

let site: TestSite
beforeAll(async () => {
  site = await startTestSite(fetchDocument)
})
afterAll(() => site.close())
beforeEach(() => {
  fetched = []
})

function publish(
  clientId: string,
  metadata: Record<string, unknown> = {},
): { client_id: string; redirect_uris: string[] } {
  const client = {
    client_id: clientId,
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    ...metadata,
  }
  documents = { ...documents, [clientId]: { body: JSON.stringify(client) } }
  return client
}

test('a client that is the address of its metadata logs in on any port, as published without application_type', async () => {
  const client = publish('https://agent.example/oauth/client.json', { token_endpoint_auth_method: 'none' })
  const request = requestAuthorization(site, client, { redirect_uri: 'http://localhost:49999/callback' })
  const answer = await authorize(openBrowser(site), request.url)
  const tokens = await exchange(site, client, request, answer)
  expect(tokens).toMatchObject({ status: 200, refresh_token: expect.any(String) })
  expect(await tryToken(site, tokens.access_token)).toBe('read')
  expect(fetched).toEqual([client.client_id])
})

test('its consent page says that the name is vouched for by a domain', async () => {
  const client = publish('https://agent.example/verified.json', { token_endpoint_auth_method: 'none' })
  const browser = openBrowser(site)
  await browser.logIn({ email: 'ada@example.com', password: 'correct horse', name: 'Ada' })
  const { url } = await browser.visit(requestAuthorization(site, client).url)
  const view = await browser.call('GET', `/auth/interactions/${url.pathname.split('/').pop()}`)
  expect(await view.json()).toMatchObject({ client: { name: 'Claude Code', verified: true } })
})

test('a client that prefers private_key_jwt, which we do not have, is a public one', async () => {
  const client = publish('https://chat.example/oauth/client.json', {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: 'https://chat.example/jwks.json',
    redirect_uris: ['https://chat.example/connector/oauth/1'],
  })
  const request = requestAuthorization(site, client)
  const answer = await authorize(openBrowser(site), request.url)
  expect((await exchange(site, client, request, answer)).status).toBe(200)
})

test.each<[string, string, { status?: number; body: string }]>([
  [
    'another client_id',
    'https://a.example/1',
    { body: '{"client_id":"https://b.example/","redirect_uris":["https://a.example/"]}' },
  ],
  ['a page instead of JSON', 'https://a.example/2', { body: '<!doctype html>' }],
  ['a redirect', 'https://a.example/3', { status: 302, body: '' }],
  ['nothing', 'https://a.example/4', { status: 404, body: '' }],
  [
    'a shared secret',
    'https://a.example/5',
    {
      body: '{"client_id":"https://a.example/5","client_secret":"s","redirect_uris":["https://a.example/"]}',
    },
  ],
])('a document with %s is no client', async (_what, clientId, document) => {
  documents = { ...documents, [clientId]: document }
  const { url } = requestAuthorization(site, { client_id: clientId, redirect_uris: ['https://a.example/'] })
  const { response } = await openBrowser(site).visit(url)
  expect(response?.status).toBeGreaterThanOrEqual(400)
  expect(new Set(fetched)).toEqual(new Set([clientId]))
})
