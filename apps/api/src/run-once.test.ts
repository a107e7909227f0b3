import { createSealing } from '@flamegate/auth'
import { createMemoryIdentity } from '@flamegate/auth/testing'
import { operations, type Principal } from '@flamegate/contract'
import type { IdempotencyStore } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { runOnce } from './run-once.ts'

const principal: Principal = {
  userId: 'usr_1',
  via: 'session',
  clientId: 'web',
  clientName: 'Web',
  scopes: ['write'],
}

test('the second call gets the first answer, of which nothing can be read where it is kept', async () => {
  let sealedAnswer: string | undefined
  const store: IdempotencyStore = {
    claim: () =>
      Promise.resolve(sealedAnswer === undefined ? { state: 'new' } : { state: 'done', sealedAnswer }),
    complete: (_caller, _key, sealed) => {
      sealedAnswer = sealed
      return Promise.resolve()
    },
    release: () => Promise.resolve(),
  }
  const sealing = createSealing(createMemoryIdentity())
  let calls = 0
  const create = () =>
    runOnce({ store, sealing }, principal, 'key', operations.createApiToken, {}, () => {
      calls += 1
      return Promise.resolve({ secret: `whsec_${calls}`, url: '/tokens' })
    })
  expect(await create()).toEqual({ secret: 'whsec_1', url: '/tokens' })
  expect(await create()).toEqual({ secret: 'whsec_1', url: '/tokens' })
  expect(sealedAnswer).not.toContain('whsec')
})

test('what was done is not free to be done again where its answer could not be kept', async () => {
  const released: string[] = []
  const store: IdempotencyStore = {
    claim: () => Promise.resolve({ state: 'new' }),
    complete: () => Promise.reject(new Error('The database is away.')),
    release: (_caller, key) => Promise.resolve(void released.push(key)),
  }
  const sealing = createSealing(createMemoryIdentity())
  const create = (run: () => Promise<{ url: string }>) =>
    runOnce({ store, sealing }, principal, 'key', operations.createApiToken, {}, run)
  await expect(create(() => Promise.resolve({ url: '/tokens' }))).rejects.toThrow('The database is away.')
  expect(released).toEqual([])
  await expect(create(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(released).toEqual(['key'])
})
