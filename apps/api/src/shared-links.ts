import { hashSecret } from '@flamegate/auth'
import { Problem, type Principal, type ProblemCode, type Toolset } from '@flamegate/contract'
import type { CallOrigin } from '@flamegate/operations'
import type { ShareLink, ShareLinkStore } from '@flamegate/operations/ports'
import { hangUpSignal } from '@flamegate/surfaces'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type PublicLinks = Pick<ShareLinkStore, 'findPublic'>

/**
 * The public link of an id, for whoever sends its secret as bearer. The secret is the only credential.
 * @throws Problem `share_link_not_found`
 */
export async function openLink(
  links: PublicLinks,
  id: string,
  { headers: { authorization = '' } }: FastifyRequest,
): Promise<ShareLink> {
  const secret = /^Bearer (\S{1,200})$/.exec(authorization)?.[1]
  const link = secret === undefined ? undefined : await links.findPublic(id, hashSecret(secret))
  if (link === undefined) throw gone()
  return link
}

/** Calls that a link makes: in the name of whoever made it, in its toolset, and no more than they may still read themselves. */
export function originOf(
  link: ShareLink,
  toolset: Toolset,
  request: FastifyRequest,
  reply: FastifyReply,
): CallOrigin {
  const principal: Principal = {
    userId: link.createdBy,
    via: 'share_link',
    clientId: link.id,
    clientName: 'Public link',
    scopes: ['read'],
    workspaceIds: [link.workspaceId],
    projectId: link.projectId,
    toolsets: [toolset],
    isReadOnly: true,
  }
  return { principal, requestId: request.id, ip: request.ip, signal: hangUpSignal(reply) }
}

/** What a link is of, asked for; when that is not there any more, or whoever made the link is not, neither is the link. */
export async function orGone<T>(missing: ProblemCode, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Problem && error.code === missing) throw gone()
    throw error
  }
}

/** The same for a link that never was, that has expired, that was taken back, and that is of something else. */
export function gone(): Problem {
  return new Problem(
    'share_link_not_found',
    'This link has expired, was taken back, or is not complete. Ask for a new one.',
  )
}
