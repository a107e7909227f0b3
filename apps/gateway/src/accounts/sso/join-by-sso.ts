import { Problem, roles } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import type { User } from '@flamegate/operations/ports'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { noteSecurity } from '../../security-events.ts'
import type { AccountContext } from '../account-context.ts'

/** Who somebody proved to be at the provider of a workspace, as it waits in a ticket for the person to prove the rest. */
export const ssoEntrySchema = z.object({
  workspaceId: z.string(),
  /** `iss` */
  issuer: z.string(),
  /** `sub` */
  subject: z.string(),
  /** Of whoever comes for the first time. */
  role: z.enum(roles).exclude(['owner']),
})

export type SsoEntry = z.output<typeof ssoEntrySchema>

/** Makes the person a member, and remembers who they are there. @throws Problem `conflict` when they are somebody else there */
export async function joinBySso(
  { identity }: Pick<AccountContext, 'identity'>,
  request: FastifyRequest,
  user: User,
  entry: SsoEntry,
): Promise<void> {
  noteSecurity(request, { workspaceIds: [entry.workspaceId] })
  try {
    const { hasJoined } = await identity.sso.join({ ...entry, userId: user.id })
    if (hasJoined) noteSecurity(request, { also: ['join_workspace'] })
  } catch (cause) {
    if (!(cause instanceof Conflict)) throw cause
    const detail =
      'Your account came in as somebody else of that provider before. Ask an owner of the workspace to remove you, then come again.'
    throw new Problem('conflict', detail, { cause })
  }
}
