import { hashSecret } from '@flamegate/auth'
import { operations, Problem, type Principal } from '@flamegate/contract'
import type { Execute } from '@flamegate/operations'
import type { ShareLink, ShareLinkStore } from '@flamegate/operations/ports'
import { hangUpSignal, problemHandler } from '@flamegate/surfaces'
import type { FastifyPluginCallback } from 'fastify'
import { z } from 'zod'

export interface SharedProfileOptions {
  links: Pick<ShareLinkStore, 'findPublic'>
  execute: Execute
  docsUrl: string
}

const parameters = z.object({ id: z.string().max(64) })
/** What the page changes of the link's own view; an empty root is that of the whole profile. */
const questions = z.object({
  root_function_name: z.string().max(1000).optional(),
  inverted: z.stringbool().optional(),
})

/** As many frames as the pages of members ask for. */
const frames = 20_000

/**
 * `GET /v1/shared/<id>`: the profile of a public link as a flame graph, for whoever sends the link's secret as bearer. The
 * secret is the only credential, so register it outside of anything that asks for another one. It opens this one
 * profile, in the name of whoever made the link, and no more than they may still read themselves.
 */
export function sharedProfileRoutes({
  links,
  execute,
  docsUrl,
}: SharedProfileOptions): FastifyPluginCallback {
  return (app, _options, done) => {
    app.setErrorHandler(problemHandler(docsUrl))
    app.get('/v1/shared/:id', async (request, reply) => {
      const secret = /^Bearer (\S{1,200})$/.exec(request.headers.authorization ?? '')?.[1]
      const { id } = parameters.parse(request.params)
      const link = secret === undefined ? undefined : await links.findPublic(id, hashSecret(secret))
      if (link === undefined) throw gone()
      const asked = questions.safeParse(request.query)
      if (!asked.success) throw new Problem('invalid_input', 'Ask for root_function_name and inverted only.')
      const { base_profile_id: _base, ...view } = link.view
      const { root_function_name: root = view.root_function_name, inverted = view.inverted ?? false } =
        asked.data
      const origin = {
        principal: bearerOf(link),
        requestId: request.id,
        ip: request.ip,
        signal: hangUpSignal(reply),
      }
      const profile_id = link.profileId
      try {
        const { profile } = operations.getProfile.output.parse(
          await execute(operations.getProfile, { profile_id }, origin),
        )
        const { url: _url, ...graph } = await execute(
          operations.generateFlamegraph,
          {
            ...view,
            profile_id,
            root_function_name: root === '' ? undefined : root,
            inverted,
            max_nodes: frames,
          },
          origin,
        )
        return await reply.header('cache-control', 'no-store').send({
          name: profile.name,
          expires_at: link.expiresAt,
          root_function_name: root === '' ? null : (root ?? null),
          inverted,
          graph,
        })
      } catch (error) {
        // Whoever made the link is not there any more.
        if (error instanceof Problem && error.code === 'profile_not_found') throw gone()
        throw error
      }
    })
    done()
  }
}

function bearerOf(link: ShareLink): Principal {
  return {
    userId: link.createdBy,
    via: 'share_link',
    clientId: link.id,
    clientName: 'Public link',
    scopes: ['read'],
    workspaceIds: [link.workspaceId],
    projectId: link.projectId,
    toolsets: ['profiles'],
    isReadOnly: true,
  }
}

/** The same for a link that never was, that has expired, and that was taken back. */
function gone(): Problem {
  return new Problem(
    'share_link_not_found',
    'This link has expired, was taken back, or is not complete. Ask for a new one.',
  )
}
