import { newId } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import type { IdentityStore, User } from '@flamegate/operations/ports'
import { firstWorkspace } from './first-workspace.ts'

/**
 * An account without a password, of somebody whose address another service vouches for. Undefined when somebody took the
 * address at this very moment.
 */
export async function createVouchedPerson(
  { identity, now }: { identity: Pick<IdentityStore, 'createUser'>; now: () => number },
  { email, name }: { email: string; name: string },
): Promise<User | undefined> {
  const user = { id: newId('user'), email, name, passwordHash: null, emailVerifiedAt: new Date(now()) }
  try {
    return await identity.createUser(user, firstWorkspace(name))
  } catch (error) {
    if (error instanceof Conflict) return undefined
    throw error
  }
}
