import { hashSecret } from '@flamegate/auth'
import { z } from 'zod'

const invitationSchema = z.union([z.object({ tokenHash: z.string() }), z.object({ id: z.string() })])

const waitingSignUpSchema = z.object({
  /** Null for somebody who has no password. */
  passwordHash: z.string().nullable(),
  name: z.string().optional(),
  /** What makes the person a member somewhere, as soon as it is known that the address is theirs. */
  invitation: invitationSchema.optional(),
})

/**
 * What somebody signed up with. It travels with the link to confirm the address, so that it counts for nothing before,
 * and for as many as sign up with one address the link of each confirms their own.
 */
export type WaitingSignUp = z.output<typeof waitingSignUpSchema>

/** Reads it from the payload of a ticket. */
export function waitingSignUpIn(payload: Record<string, unknown>): WaitingSignUp {
  return waitingSignUpSchema.parse(payload)
}

/** The invitation that somebody came with: the secret of a link that was handed on, or the id in a mail. */
export function invitationIn(input: {
  invitation?: string | undefined
  invitation_id?: string | undefined
}): z.output<typeof invitationSchema> | undefined {
  if (input.invitation !== undefined) return { tokenHash: hashSecret(input.invitation) }
  return input.invitation_id === undefined ? undefined : { id: input.invitation_id }
}
