import type { VisibleChange } from '@flamegate/operations/ports'
import { afterEach, expect, test, vi } from 'vitest'
import { preparePeople } from './testing.ts'

const { at, ada, bob, asAda } = preparePeople({ access: 'admin' })
const closers: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function watch(catalogue: string): Promise<VisibleChange[]> {
  const heard: VisibleChange[] = []
  const watching = await at.identity.watchVisibleChanges(catalogue, (change) => heard.push(change))
  closers.push(() => watching.close())
  return heard
}

const within = { timeout: 1_000, interval: 10 }

test('a person’s new membership, new role and end of it are told within a second, to every process', async () => {
  const [one, other] = [await watch('v1'), await watch('v1')]
  await at.admin.query('INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3)', [
    ada.workspaceId,
    bob.userId,
    'viewer',
  ])
  await vi.waitFor(() => expect([one.length, other.length]).toEqual([1, 1]), within)
  await at.stores.workspaces.setRole(asAda(), ada.workspaceId, bob.userId, 'member')
  await vi.waitFor(() => expect([one.length, other.length]).toEqual([2, 2]), within)
  await at.stores.workspaces.removeMember(asAda(), ada.workspaceId, bob.userId)
  const told = { userId: bob.userId }
  const thrice = [told, told, told]
  await vi.waitFor(() => expect([one, other]).toEqual([thrice, thrice]), within)
})

test('changed choices of a connection are told, and the same choices again are not', async () => {
  const { oauth, grants } = at.identity
  await oauth.noteGrant({
    id: 'g1',
    userId: ada.userId,
    clientId: 'client-1',
    clientName: 'An agent',
    verifiedDomain: null,
    scopes: ['read'],
    choices: {},
  })
  const heard = await watch('v1')
  await grants.changeChoices(ada.userId, 'g1', { isReadOnly: true })
  await grants.changeChoices(ada.userId, 'g1', { isReadOnly: true })
  await oauth.noteUse('g1', 5, new Date())
  await grants.changeChoices(ada.userId, 'g1', {})
  await vi.waitFor(() => expect(heard).toEqual([{ userId: ada.userId }, { userId: ada.userId }]), within)
})

test('a process that offers something else is a change for everybody on the others', async () => {
  const heard = await watch('v1')
  await watch('v1')
  await watch('v2')
  await vi.waitFor(() => expect(heard).toEqual(['everybody']), within)
})

test('after a break it is a change for everybody, because some may have been missed', async () => {
  const heard: VisibleChange[] = []
  const { watchVisibleChanges } = await import('./visible-changes.ts')
  const quiet = { ...at.database, log: { info: () => undefined, error: () => undefined } }
  const watching = await watchVisibleChanges(quiet, 'v1', (change) => heard.push(change))
  closers.push(() => watching.close())
  await at.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'flamegate visible changes' AND datname = current_database()`,
  )
  await vi.waitFor(() => expect(heard).toEqual(['everybody']), { timeout: 20_000, interval: 20 })
  await at.signUp('cem')
  await vi.waitFor(() => expect(heard).toHaveLength(2), within)
})
