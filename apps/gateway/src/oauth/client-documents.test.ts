import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
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

let documents: Record<string, { status?: number; body: string; headers?: Record<string, string> }> = {}
let fetched: string[] = []

const fetchDocument: FetchDocument = async (url) => {
  fetched.push(url)
  const { status = 200, body, headers = {} } = documents[url] ?? { status: 404, body: 'not found' }
  return { status, url, headers, body: Buffer.from(body) }
}

let site: TestSite
beforeAll(async () => {
  site = await startTestSite(fetchDocument)
})
afterAll(() => site.close())
// Only the calendar is false; the servers run on real timers.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  fetched = []
})
afterEach(() => {
  vi.useRealTimers()
})

function pass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

function publish(
  clientId: string,
  metadata: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): { client_id: string; redirect_uris: string[] } {
  const client = {
    client_id: clientId,
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    ...metadata,
  }
  documents = { ...documents, [clientId]: { body: JSON.stringify(client), headers } }
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

test('whoever comes with an app whose document cannot be read is told who has to let it be read, and how to do without', async () => {
  const { url } = requestAuthorization(site, {
    client_id: 'https://nowhere.example/client.json',
    redirect_uris: ['http://127.0.0.1/callback'],
  })
  const asPage = await fetch(url, { headers: { accept: 'text/html' } })
  expect(asPage.status).toBe(400)
  expect(await asPage.text()).toMatch(/a document at nowhere\.example, .* FLAMEGATE_CLIENT_DOCUMENTS=off/)
  const asData = await fetch(url, { headers: { accept: 'application/json' } })
  expect(await asData.json()).toMatchObject({
    error: 'invalid_client',
    error_description: expect.stringContaining('nowhere.example'),
  })
})

test('a document with a way back that no app has, or with too many, is no client', async () => {
  const ways = Array.from({ length: 31 }, (_, index) => `http://127.0.0.1/${index}`)
  for (const redirect_uris of [
    ['ms-settings:privacy'],
    ['http://127.0.0.1/', 'ftp://agent.example/'],
    ways,
  ]) {
    const client = publish(`https://agent.example/${crypto.randomUUID()}.json`, { redirect_uris })
    const { url, response } = await openBrowser(site).visit(requestAuthorization(site, client).url)
    expect([url.origin, response?.status]).toEqual([site.issuer, 400])
  }
})

test('its consent page says that the name is vouched for by a domain', async () => {
  const client = publish('https://agent.example/verified.json', { token_endpoint_auth_method: 'none' })
  const browser = openBrowser(site)
  await browser.logIn({ email: 'ada@example.com', password: 'correct horse', name: 'Ada' })
  const { url } = await browser.visit(requestAuthorization(site, client).url)
  const view = await browser.call('GET', `/auth/interactions/${url.pathname.split('/').pop()}`)
  expect(await view.json()).toMatchObject({ client: { name: 'Claude Code', verified: true } })
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

/** How far an authorization request gets: to the log-in, or which status a page says. */
async function tryClient(of: TestSite, client: { client_id: string; redirect_uris: string[] }) {
  const { url, response } = await openBrowser(of).visit(requestAuthorization(of, client).url)
  return url.pathname === '/log-in' ? 'log-in' : response?.status
}

describe('a document that was good once', () => {
  const redirects = { redirect_uris: ['https://a.example/callback'] }

  test.each([
    [{}, 299, 301],
    [{ 'cache-control': 'no-store' }, 299, 301],
    [{ 'cache-control': 'public, max-age=10' }, 299, 301],
    [{ 'cache-control': 'max-age=3600' }, 3_599, 3_601],
    [{ 'cache-control': 'max-age=31536000' }, 86_399, 86_401],
  ])(
    'with %o is used for %i seconds, by all processes, and asked for again after %i',
    async (headers, before, after) => {
      const client = publish(
        `https://a.example/fresh/${after}/${JSON.stringify(headers).length}`,
        redirects,
        headers,
      )
      const start = Date.now()
      expect(await tryClient(site, client)).toBe('log-in')
      vi.setSystemTime(start + before * 1000)
      await site.restart()
      expect(await tryClient(site, client)).toBe('log-in')
      expect(fetched).toEqual([client.client_id])
      vi.setSystemTime(start + after * 1000)
      expect(await tryClient(site, client)).toBe('log-in')
      expect(fetched).toEqual([client.client_id, client.client_id])
    },
  )

  test('by Expires too', async () => {
    const expires = new Date(Date.now() + 7_200_000).toUTCString()
    const client = publish('https://a.example/expires', redirects, { expires })
    await tryClient(site, client)
    pass(7_100)
    await tryClient(site, client)
    expect(fetched).toEqual([client.client_id])
  })

  test.each<[string, { status?: number; body: string } | undefined]>([
    ['answers nothing', undefined],
    ['has an outage', { status: 503, body: 'down' }],
    ['answers with a page', { body: '<!doctype html>' }],
    ['answers with JSON that is no document', { body: '{"error":"try later"}' }],
    ['answers with a document of somebody else', { body: '{"client_id":"https://b.example/"}' }],
    ['redirects', { status: 302, body: '' }],
  ])('counts for 30 days when its address %s', async (what, outage) => {
    const client = publish(`https://a.example/last-good/${what.replaceAll(' ', '-')}`, redirects)
    const start = Date.now()
    expect(await tryClient(site, client)).toBe('log-in')
    documents = { ...documents, ...(outage && { [client.client_id]: outage }) }
    if (!outage) delete documents[client.client_id]
    vi.setSystemTime(start + 29 * 86_400_000)
    await site.restart()
    expect(await tryClient(site, client)).toBe('log-in')
    expect(fetched).toEqual([client.client_id, client.client_id])
    vi.setSystemTime(start + 31 * 86_400_000)
    await site.restart()
    expect(await tryClient(site, client)).toBeGreaterThanOrEqual(400)
  })

  test('is not replaced by one that is wrong, and is by the next good one', async () => {
    const client = publish('https://a.example/changing', redirects)
    await tryClient(site, client)
    publish(client.client_id, { redirect_uris: ['javascript:alert(1)'] })
    pass(400)
    await site.restart()
    expect(await tryClient(site, client)).toBe('log-in')
    const moved = publish(client.client_id, { redirect_uris: ['https://a.example/moved'] })
    pass(400)
    await site.restart()
    expect(await tryClient(site, moved)).toBe('log-in')
    expect(await tryClient(site, client)).toBe(400)
  })

  test('that is wrong from the start is never used', async () => {
    const client = publish('https://a.example/wrong', { redirect_uris: ['javascript:alert(1)'] })
    expect(await tryClient(site, client)).toBeGreaterThanOrEqual(400)
    expect(await site.identity.clientDocuments.find(client.client_id)).toBeUndefined()
  })
})

test('a client id that is too long for our lists is refused before anything is fetched', async () => {
  const client = publish(`https://a.example/${'x'.repeat(300)}`)
  expect(await tryClient(site, client)).toBeGreaterThanOrEqual(400)
  expect(fetched).toEqual([])
})

test('a client that is the address of its metadata can be blocked like any other', async () => {
  const client = publish('https://a.example/blocked')
  expect(await tryClient(site, client)).toBe('log-in')
  site.identity.oauthClients.block(client.client_id, 'It deletes things.')
  expect(await tryClient(site, client)).toBe(400)
})

/** A client that nobody asked for before, at an address of its own. */
function askFrom(address: string): Promise<Response> {
  const { url } = requestAuthorization(site, publish(`https://a.example/${address}`))
  return fetch(url, { headers: { 'x-forwarded-for': address }, redirect: 'manual' })
}

test('one IPv6 network makes us fetch only so much', async () => {
  for (let host = 1; host <= 300; host++) await askFrom(`2001:db8:0:7::${host.toString(16)}`)
  expect(fetched).toHaveLength(300)
  expect((await askFrom('2001:db8:0:7:1::1')).status).toBe(400)
  expect(fetched).toHaveLength(300)
})

describe('which domains may come', () => {
  const policies: [string, { allowedDomains: string[]; blockedDomains: string[] }, string[], string[]][] = [
    [
      'only these and what is under them',
      { allowedDomains: ['claude.ai'], blockedDomains: [] },
      ['https://claude.ai/x', 'https://beta.claude.ai/x'],
      ['https://evilclaude.ai/x', 'https://claude.ai.evil.example/x', 'https://other.example/x'],
    ],
    [
      'all but these and what is under them',
      { allowedDomains: [], blockedDomains: ['evil.example'] },
      ['https://other.example/x', 'https://notevil.example/x'],
      [
        'https://evil.example/x',
        'https://www.evil.example/x',
        'https://EVIL.example/x',
        'https://evil.example./x',
      ],
    ],
    [
      'who is blocked is out, allowed or not',
      { allowedDomains: ['example.com'], blockedDomains: ['bad.example.com'] },
      ['https://example.com/x'],
      ['https://bad.example.com/x'],
    ],
  ]
  test.each(policies)('%s', async (_what, domains, welcome, refused) => {
    const strict = await startTestSite(fetchDocument, { clients: { hasDocuments: true, ...domains } })
    for (const id of welcome) expect([id, await tryClient(strict, publish(id))]).toEqual([id, 'log-in'])
    fetched = []
    for (const id of refused) expect([id, await tryClient(strict, publish(id))]).toEqual([id, 400])
    expect(fetched).toEqual([])
    await strict.close()
  })
})

test('without documents, none is fetched, and the metadata does not offer them', async () => {
  const clients = { hasDocuments: false, allowedDomains: [], blockedDomains: [] }
  const strict = await startTestSite(fetchDocument, { clients })
  expect(await tryClient(strict, publish('https://a.example/off'))).toBe(400)
  expect(fetched).toEqual([])
  const metadata = await fetch(`${strict.issuer}/.well-known/oauth-authorization-server`)
  expect(await metadata.json()).not.toHaveProperty('client_id_metadata_document_supported')
  await strict.close()
})
