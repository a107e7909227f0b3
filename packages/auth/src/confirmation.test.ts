import { describe, expect, test } from 'vitest'
import { createConfirmations, makeConfirmationKey } from './confirmation.ts'
import type { ConfirmedCall } from './confirmation.ts'
import { createMemoryIdentity } from './testing/memory-identity.ts'

const call: ConfirmedCall = {
  principal: { userId: 'usr_ada', clientId: 'client-1', grantId: 'grant-1' },
  operationId: 'delete_profile',
  input: { profile_id: 'prf_1', options: { a: 1, b: [1, 2] } },
}
const startMs = Date.UTC(2026, 10, 21)

async function setUp() {
  let nowMs = startMs
  const identity = createMemoryIdentity(() => nowMs)
  const open = () => createConfirmations(identity, () => nowMs)
  return { identity, open, confirmations: await open(), wait: (ms: number) => (nowMs += ms) }
}

describe('a token', () => {
  test('is good for the call that it was made for, in whatever order its arguments come', async () => {
    const { confirmations } = await setUp()
    const { token, expiresAt } = confirmations.issue('agent', call)
    const sameCall = { ...call, input: { options: { b: [1, 2], a: 1 }, profile_id: 'prf_1' } }
    expect(await confirmations.check('agent', token, sameCall)).toBe('good')
    expect(expiresAt.getTime() - startMs).toBe(600_000)
    expect(token).toMatch(/^[\w-]{39}$/)
  })

  test.each<[string, ConfirmedCall]>([
    ['other arguments', { ...call, input: { profile_id: 'prf_2', options: { a: 1, b: [1, 2] } } }],
    [
      'the elements of a list in another order',
      { ...call, input: { profile_id: 'prf_1', options: { a: 1, b: [2, 1] } } },
    ],
    ['another tool', { ...call, operationId: 'delete_project' }],
    ['another person', { ...call, principal: { ...call.principal, userId: 'usr_eve' } }],
    ['another client', { ...call, principal: { ...call.principal, clientId: 'client-2' } }],
    ['another grant', { ...call, principal: { ...call.principal, grantId: 'grant-2' } }],
    ['a credential without a grant', { ...call, principal: { userId: 'usr_ada', clientId: 'client-1' } }],
  ])('is not good with %s', async (_name, other) => {
    const { confirmations } = await setUp()
    const { token } = confirmations.issue('agent', call)
    expect(await confirmations.check('agent', token, other)).toBe('other')
  })

  test('of an agent is not the word of a person, nor the other way round', async () => {
    const { confirmations } = await setUp()
    expect(await confirmations.check('person', confirmations.issue('agent', call).token, call)).toBe('other')
    expect(await confirmations.check('agent', confirmations.issue('person', call).token, call)).toBe('other')
  })

  test('is good for ten minutes', async () => {
    const { confirmations, wait } = await setUp()
    const { token } = confirmations.issue('agent', call)
    wait(599_000)
    expect(await confirmations.check('agent', token, call)).toBe('good')
    wait(1_000)
    expect(await confirmations.check('agent', token, call)).toBe('expired')
  })

  test('that was changed anywhere is not good', async () => {
    const { confirmations } = await setUp()
    const { token } = confirmations.issue('agent', call)
    for (let at = 0; at < token.length - 1; at += 1) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      expect(await confirmations.check('agent', changed, call)).toBe('other')
    }
    for (const forged of ['', 'yes', `${token}A`.repeat(2), token.slice(0, -2), '\u0000']) {
      expect(await confirmations.check('agent', forged, call)).toBe('other')
    }
  })

  test('can be used once, however it is written', async () => {
    const { confirmations } = await setUp()
    const { token } = confirmations.issue('agent', call)
    expect(await confirmations.use('agent', token, { ...call, operationId: 'other' })).toBe('other')
    expect(await confirmations.use('agent', token, call)).toBe('good')
    expect(await confirmations.use('agent', token, call)).toBe('used')
    expect(await confirmations.use('agent', `${token}=`, call)).toBe('used')
    expect(await confirmations.use('agent', confirmations.issue('agent', call).token, call)).toBe('good')
  })
})

test('every process knows the tokens of the others, also with a key that was added meanwhile', async () => {
  const { identity, open, confirmations, wait } = await setUp()
  const { token } = confirmations.issue('agent', call)
  await identity.addKey('confirmation', await makeConfirmationKey(), new Date(startMs))
  const other = await open()
  expect(await other.check('agent', token, call)).toBe('good')
  wait(5_000)
  expect(await confirmations.check('agent', other.issue('agent', call).token, call)).toBe('good')
})
