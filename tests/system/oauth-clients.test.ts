import { operations } from '@flamegate/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { callRest } from './calls.ts'
import { apiToken, logIn, platform, signUp, type Person } from './person.ts'

/** OAuth clients of the whole installation, for its administrators: here whoever has the demo's account. */

let admin: Person
let clientId: string

beforeAll(async () => {
  const { demo } = platform()
  admin = await logIn(demo.email, demo.password)
  clientId = await register(`Agent ${crypto.randomUUID()}`)
})

async function register(name: string): Promise<string> {
  const response = await fetch(`${platform().url}/oauth/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: ['http://127.0.0.1:5000/callback'],
      token_endpoint_auth_method: 'none',
    }),
  })
  return z.object({ client_id: z.string() }).parse(await response.json()).client_id
}

/** What the authorization server says to a person that the client sends. */
async function authorize(): Promise<{ status: number; text: string }> {
  const parameters = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:5000/callback',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const response = await fetch(`${platform().url}/oauth/authorize?${parameters.toString()}`, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  })
  return { status: response.status, text: await response.text() }
}

const find = async () => {
  const { oauth_clients } = await admin.client.call(operations.listOauthClients, { search: clientId })
  return oauth_clients
}

test('an administrator sees who registered, and blocks it and lets it in again', async () => {
  expect(await find()).toMatchObject([
    { client_id: clientId, kind: 'registered', redirect_hosts: ['127.0.0.1'], blocked_at: null },
  ])
  expect((await authorize()).status).toBe(303)

  const reason = 'It deletes projects.'
  const blocked = await admin.client.call(operations.blockOauthClient, { client_id: clientId, reason })
  expect(blocked).toMatchObject({ oauth_client: { block_reason: reason }, revoked_grants: 0 })
  expect(await find()).toMatchObject([{ blocked_at: expect.any(String), block_reason: reason }])
  const refused = await authorize()
  expect(refused.status).toBe(400)
  expect(refused.text).toContain(reason)

  await admin.client.call(operations.blockOauthClient, { client_id: clientId, blocked: false })
  expect(await find()).toMatchObject([{ blocked_at: null, block_reason: null }])
  expect((await authorize()).status).toBe(303)
})

test('clients that just registered are not unused', async () => {
  const { deleted, dry_run } = await admin.client.call(operations.deleteUnusedOauthClients, { dry_run: true })
  expect(dry_run).toBe(true)
  expect(deleted.map((client) => client.client_id)).not.toContain(clientId)
})

describe('nobody else', () => {
  const calls = [
    [operations.listOauthClients, {}],
    [operations.blockOauthClient, { client_id: 'any' }],
    [operations.deleteUnusedOauthClients, {}],
  ] as const

  test('sees that there is anything: not the owner of a workspace', async () => {
    const { cookie } = await signUp('Owner')
    for (const [operation, input] of calls) {
      expect(await callRest(operation, input, { cookie })).toMatchObject({
        status: 404,
        code: 'oauth_client_not_found',
      })
    }
  })

  test('and not a credential of an administrator that is for one workspace', async () => {
    const token = await apiToken(admin, ['admin'])
    for (const [operation, input] of calls) {
      expect(await callRest(operation, input, { token })).toMatchObject({ code: 'oauth_client_not_found' })
    }
  })
})
