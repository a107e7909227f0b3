import { createMemoryIdentity } from '@flamegate/auth/testing'
import { expect, test } from 'vitest'
import { requireAnotherWayIn } from './another-way-in.ts'
import { ada } from './test-accounts.ts'

const passkey = {
  id: 'p1',
  userId: 'usr_ada',
  name: 'Laptop',
  publicKey: new Uint8Array([1]),
  counter: 0,
  transports: [],
  isBackupEligible: false,
  isBackedUp: false,
}

const signIns = [{ issuer: 'https://id.example' }]

test('of a passkey, a linked sign-in and a password, the last one left is not taken away', async () => {
  const identity = createMemoryIdentity()
  const { accounts } = identity
  const workspace = { id: 'ws_1', slug: 'ada', name: 'Ada' }
  const user = await identity.createUser({ ...ada, id: 'usr_ada', passwordHash: null }, workspace)
  await accounts.passkeys.add(passkey)
  await expect(requireAnotherWayIn({ identity, signIns }, user)).rejects.toThrow('your only way to log in')
  await requireAnotherWayIn({ identity, signIns }, { ...user, passwordHash: 'hash' })
  const link = { issuer: 'https://id.example', subject: 'ada', userId: 'usr_ada', email: ada.email }
  await accounts.linkedSignIns.add(link)
  await requireAnotherWayIn({ identity, signIns }, user)
  await accounts.passkeys.remove(user.id, passkey.id)
  await expect(requireAnotherWayIn({ identity, signIns }, user)).rejects.toThrow('your only way to log in')
})

test('a linked sign-in of a service that is not in use any more is no way to log in', async () => {
  const identity = createMemoryIdentity()
  const { accounts } = identity
  const workspace = { id: 'ws_1', slug: 'ada', name: 'Ada' }
  const user = await identity.createUser({ ...ada, id: 'usr_ada', passwordHash: null }, workspace)
  await accounts.passkeys.add(passkey)
  const link = { issuer: 'https://gone.example', subject: 'ada', userId: 'usr_ada', email: ada.email }
  await accounts.linkedSignIns.add(link)
  await expect(requireAnotherWayIn({ identity, signIns }, user)).rejects.toThrow('your only way to log in')
})
