import { Problem, type Principal, type ProblemCode } from '@flamegate/contract'
import type { CallContext, Deps } from '../implement.ts'

/**
 * Whether this person, by this credential, administers the installation: the settings name their confirmed address, or
 * another administrator gave them the role. An address that nobody confirmed may be somebody else's.
 */
export async function isInstallationAdmin(
  user: { id: string; email: string; emailVerifiedAt: Date | null } | undefined,
  principal: Principal,
  deps: Pick<Deps, 'admins' | 'stores'>,
): Promise<boolean> {
  if (user === undefined || principal.workspaceIds !== undefined) return false
  const isNamed = user.emailVerifiedAt !== null && deps.admins.includes(user.email)
  return deps.stores.administration.isAdmin(user.id, isNamed)
}

/**
 * Lets the call go on if it is one of an administrator of the installation. Nobody else is told what there is: for them
 * there is nothing. A credential for some workspaces only is not for what belongs to none.
 *
 * @param code What is not found by others.
 * @throws Problem with that code
 */
export async function requireInstallationAdmin(
  { principal, deps }: CallContext,
  code: ProblemCode,
): Promise<void> {
  const user = await deps.stores.users.findUser(principal.userId)
  if (await isInstallationAdmin(user, principal, deps)) return
  throw new Problem(
    code,
    'Only administrators of this installation see this, and not with a credential that is limited to workspaces.',
  )
}
