import { Conflict } from '@flamegate/operations/ports'
import type { User } from '@flamegate/operations/ports'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AccountContext } from './account-context.ts'
import { whereFrom } from './where-from.ts'

/** An account elsewhere, as it waits in a ticket for the person to prove the rest. */
export const signInToLinkSchema = z.object({
  /** The other service's identifier (`iss`). */
  issuer: z.string(),
  /** The person's identifier there (`sub`). */
  subject: z.string(),
  email: z.string().optional(),
})

export type SignInToLink = z.output<typeof signInToLinkSchema>

/** Links an account elsewhere with somebody's account here, and writes to them about it. Gives why it was not done. */
export async function linkSignIn(
  { identity, mail, now }: AccountContext,
  request: FastifyRequest,
  user: User,
  { issuer, subject, email = user.email }: SignInToLink,
): Promise<'linked_to_another' | 'linked_already' | undefined> {
  try {
    await identity.accounts.linkedSignIns.add({ issuer, subject, userId: user.id, email })
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    return error.field === 'subject' ? 'linked_to_another' : 'linked_already'
  }
  mail.sendChange(user, 'sign_in_linked', whereFrom(request, now))
  return undefined
}
