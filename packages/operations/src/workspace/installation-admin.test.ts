import type { Principal } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { Stores } from '../ports/index.ts'
import { isInstallationAdmin } from './installation-admin.ts'

const ada = { id: 'usr_ada', email: 'ada@example.com', emailVerifiedAt: new Date(0) }
const principal: Principal = {
  userId: ada.id,
  via: 'session',
  clientId: 'web',
  clientName: 'Web',
  scopes: ['admin'],
}

// As the database answers where nobody was given the role by another administrator.
const administration: Pick<Stores['administration'], 'isAdmin'> = {
  isAdmin: async (_userId, isNamedBySettings) => isNamedBySettings,
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked
const deps = { admins: [ada.email], stores: { administration } as Stores }

test.each([
  ['whose confirmed address the settings name', ada, principal, true],
  ['whose address nobody confirmed', { ...ada, emailVerifiedAt: null }, principal, false],
  ['whom the settings do not name', { ...ada, email: 'eve@example.com' }, principal, false],
  ['who comes with a credential for some workspaces', ada, { ...principal, workspaceIds: ['ws_1'] }, false],
  ['who is not there', undefined, principal, false],
])('somebody %s', async (_who, user, by, isAdmin) => {
  expect(await isInstallationAdmin(user, by, deps)).toBe(isAdmin)
})
