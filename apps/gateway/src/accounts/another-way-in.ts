import { Problem } from '@flamegate/contract'
import type { IdentityStore, User } from '@flamegate/operations/ports'
import type { ForeignSignIn } from './elsewhere/foreign-sign-in.ts'

interface WaysIn {
  identity: Pick<IdentityStore, 'accounts' | 'sso'>
  /** Services that one can log in with now. */
  signIns: readonly Pick<ForeignSignIn, 'issuer'>[]
}

/** @throws Problem `conflict` when a passkey or a linked sign-in is all that the person can log in with */
export async function requireAnotherWayIn({ identity, signIns }: WaysIn, user: User): Promise<void> {
  const { accounts } = identity
  if (user.passwordHash !== null) return
  const [passkeys, links, isLetIn] = await Promise.all([
    accounts.passkeys.list(user.id),
    accounts.linkedSignIns.list(user.id),
    identity.sso.letsIn(user.id),
  ])
  const usableLinks = links.filter((link) => signIns.some(({ issuer }) => issuer === link.issuer))
  if (isLetIn || passkeys.length + usableLinks.length > 1) return
  throw new Problem('conflict', 'This is your only way to log in. Set a password or add another way first.')
}
