import { ExpiringCache } from '@flamegate/auth'
import { roles } from '@flamegate/contract'
import type { Principal, Role } from '@flamegate/contract'
import type { IdentityStore, Membership, VisibleChange } from '@flamegate/operations/ports'

/** Where people are members, to choose what to show them. What they may do is decided elsewhere, at every call. */
export interface Memberships {
  /** Those that the credential reaches. */
  of(principal: Principal): Promise<readonly Membership[]>
  /** Has them looked up anew, because they may have changed. */
  forget(change: VisibleChange): void
}

const keptForMs = 10_000
const peopleMax = 10_000

export function createMemberships(
  identity: Pick<IdentityStore, 'listMemberships'>,
  now: () => number = Date.now,
): Memberships {
  let kept = new ExpiringCache<readonly Membership[]>(peopleMax)
  return {
    async of({ userId, workspaceIds }) {
      const known = kept.get(userId, now())
      const all = known ?? (await identity.listMemberships(userId))
      if (known === undefined) kept.set(userId, all, now() + keptForMs)
      return workspaceIds === undefined ? all : all.filter((each) => workspaceIds.includes(each.workspaceId))
    },
    forget(change) {
      if (change === 'everybody') kept = new ExpiringCache(peopleMax)
      else kept.delete(change.userId)
    },
  }
}

/** The strongest role among them; undefined when there are none. */
export function strongestRole(memberships: readonly Membership[]): Role | undefined {
  return roles.findLast((role) => memberships.some((membership) => membership.role === role))
}
