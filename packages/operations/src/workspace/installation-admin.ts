import { Problem, type Principal } from '@flamegate/contract'
import type { CallContext, Deps } from '../implement.ts'

/** Whether this person, by this credential, administers the installation. */
export function isInstallationAdmin(
  user: { email: string; emailVerifiedAt: Date | null } | undefined,
  principal: Principal,
  deps: Pick<Deps, 'admins'>,
): boolean {
  const isAdmin = user?.emailVerifiedAt != null && deps.admins.includes(user.email)
  return isAdmin && principal.workspaceIds === undefined
}

/**
 * Lets the call go on if it is one of an administrator of the installation, whom the settings name. Nobody else is
 * told what there is: for them there are no clients. A credential for some workspaces only is not for what belongs
 * to none, and an address that nobody confirmed may be somebody else's.
 *
 * @throws Problem `oauth_client_not_found`
 */
export async function requireInstallationAdmin({ principal, deps }: CallContext): Promise<void> {
  const user = await deps.stores.users.findUser(principal.userId)
  if (isInstallationAdmin(user, principal, deps)) return
  throw new Problem(
    'oauth_client_not_found',
    'You see no OAuth clients: only administrators of this installation do, and not with a credential that is limited to workspaces.',
  )
}
