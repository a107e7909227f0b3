import { hashSecret } from '@flamegate/auth'
import { preparePeople } from '@flamegate/db/testing'
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scimRoutes } from './scim-routes.ts'

const app = fastify({ genReqId: () => 'req_1' })
const { at, ada, asAda } = preparePeople({ access: 'admin' })

beforeAll(async () => {
  const token = { id: 'sct_1', workspaceId: ada.workspaceId, prefix: 'fgs_', tokenHash: hashSecret('right') }
  await at.stores.scim.setToken(asAda(), { ...token, defaultRole: 'member' })
  // Wrong tokens are forgiven with time.
  vi.useFakeTimers({ toFake: ['Date'] })
  const { stores, identity } = at
  await app.register(scimRoutes('https://flamegate.example', { stores, identity, limits: undefined }))
})
afterAll(async () => {
  vi.useRealTimers()
  await app.close()
})

const ask = (secret: string) =>
  app.inject({ url: '/scim/v2/Users', headers: { authorization: `Bearer ${secret}` } })

test('whoever tries out tokens has to wait, and the provider has not', async () => {
  expect((await ask('right')).statusCode).toBe(200)
  for (let guess = 0; guess < 100; guess += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await ask(`wrong-${guess}`)).statusCode).toBe(401)
  }
  const last = await ask('wrong-100')
  expect(last.statusCode).toBe(429)
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ask('right')).statusCode).toBe(200)
})

test('a provider that says of every request that it is SCIM may remove somebody', async () => {
  const headers = { authorization: 'Bearer right', 'content-type': 'application/scim+json' }
  const removed = await app.inject({ method: 'DELETE', url: '/scim/v2/Users/usr_nobody', headers })
  expect(removed.statusCode).toBe(404)
  const added = await app.inject({ method: 'POST', url: '/scim/v2/Users', headers })
  expect(added.statusCode).toBe(400)
})

test('no answer about people is kept by caches, and of a defect nothing is told but the request id', async () => {
  expect((await ask('right')).headers['cache-control']).toBe('no-store')
  const list = vi.spyOn(at.stores.scim, 'list')
  list.mockRejectedValueOnce(new Error('relation "scim_users" does not exist'))
  const answer = await ask('right')
  expect(answer.statusCode).toBe(500)
  expect(answer.body).toContain('req_1')
  expect(answer.body).not.toContain('scim_users')
  list.mockRestore()
})
