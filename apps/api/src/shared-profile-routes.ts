import { operations, Problem } from '@flamegate/contract'
import type { Execute } from '@flamegate/operations'
import { problemHandler } from '@flamegate/surfaces'
import type { FastifyPluginCallback } from 'fastify'
import { z } from 'zod'
import { gone, openLink, originOf, orGone, type PublicLinks } from './shared-links.ts'

export interface SharedRoutesOptions {
  links: PublicLinks
  execute: Execute
  docsUrl: string
}

/** What the page changes of the link's own view; an empty root is that of the whole profile. */
const questions = z.object({
  root_function_name: z.string().max(1000).optional(),
  inverted: z.stringbool().optional(),
})

/** As many frames as the pages of members ask for. */
const frames = 20_000

/**
 * `GET /v1/shared/<id>`: the profile of a public link as a flame graph. The link's secret is the only credential, so
 * register it outside of anything that asks for another one.
 */
export function sharedProfileRoutes({ links, execute, docsUrl }: SharedRoutesOptions): FastifyPluginCallback {
  return (app, _options, done) => {
    app.setErrorHandler(problemHandler(docsUrl))
    app.get<{ Params: { id: string } }>('/v1/shared/:id', async (request, reply) => {
      const link = await openLink(links, request.params.id, request)
      const profile_id = link.profileId
      if (profile_id === null) throw gone()
      const asked = questions.safeParse(request.query)
      if (!asked.success) throw new Problem('invalid_input', 'Ask for root_function_name and inverted only.')
      const { base_profile_id: _base, ...view } = link.view
      const { root_function_name: root = view.root_function_name, inverted = view.inverted ?? false } =
        asked.data
      const origin = originOf(link, 'profiles', request, reply)
      return orGone('profile_not_found', async () => {
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
        return reply.header('cache-control', 'no-store').send({
          name: profile.name,
          expires_at: link.expiresAt,
          root_function_name: root === '' ? null : (root ?? null),
          inverted,
          graph,
        })
      })
    })
    done()
  }
}
