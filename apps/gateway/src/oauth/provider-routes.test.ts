import { createMemoryIdentity } from '@flamegate/auth/testing'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createWebSessions } from '../session/web-session.ts'
import { createOAuth } from './create-oauth.ts'

const issuer = 'https://flamegate.example'
const app = fastify()
let address = ''

const fetchDocument = () => Promise.reject(new TypeError('Nothing should be fetched'))

// As behind a proxy that ends TLS: the site is https, what reaches us is plain.
beforeAll(async () => {
  const identity = createMemoryIdentity()
  const sessions = createWebSessions(identity, issuer)
  const { plugin } = await createOAuth({ identity, issuer, sessions, fetchDocument })
  app.addHook('onRequest', async (_request, reply) => {
    reply
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none';script-src 'self';form-action 'self'")
  })
  await app.register(plugin)
  address = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

async function startAuthorization(more: Record<string, string> = {}): Promise<Response> {
  const registration = await fetch(`${address}/oauth/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['http://127.0.0.1/'], token_endpoint_auth_method: 'none' }),
  })
  const { client_id } = z.object({ client_id: z.string() }).parse(await registration.json())
  const parameters = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:5000/',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    ...more,
  })
  return fetch(`${address}/oauth/authorize?${parameters.toString()}`, { redirect: 'manual' })
}

test('behind a proxy, cookies are secure, whatever the proxy says', async () => {
  const response = await startAuthorization()
  const cookies = response.headers.getSetCookie()
  expect(response.headers.get('location')).toMatch(/^\/oauth\/interaction\//)
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(
    expect.arrayContaining(
      ['fg_interaction', 'fg_interaction.sig', 'fg_resume', 'fg_resume.sig'].map(
        (name) => `__Secure-${name}`,
      ),
    ),
  )
  for (const cookie of cookies) expect(cookie).toMatch(/; secure/i)
})

test('headers that hooks have set are on the provider’s answers too', async () => {
  const response = await startAuthorization()
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('an answer that comes as a form may be sent to the client', async () => {
  const response = await startAuthorization({ prompt: 'none', response_mode: 'form_post' })
  expect(await response.text()).toContain('<form method="post" action="http://127.0.0.1:5000/">')
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none';script-src 'self' 'sha256-[\w+/]+='$/,
  )
})

test('a body that is too large is refused', async () => {
  const response = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ code: 'x'.repeat(60_000) }),
  })
  expect(response.status).toBe(413)
})

test.each(['https://flamegate.example/', 'https://flamegate.example/path'])(
  'the issuer cannot be %s: it must be an origin',
  async (wrong) => {
    const identity = createMemoryIdentity()
    const sessions = createWebSessions(identity, wrong)
    await expect(createOAuth({ identity, issuer: wrong, sessions, fetchDocument })).rejects.toThrow(TypeError)
  },
)
