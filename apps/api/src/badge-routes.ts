import { badgeOf, type Badge } from '@flamegate/operations'
import type { Stores } from '@flamegate/operations/ports'
import type { FastifyPluginCallback } from 'fastify'
import { z } from 'zod'
import { badgeSvg } from './badge-svg.ts'

/** As long as a picture may be shown after it is no longer true: who shows many asks once a minute. */
const freshSeconds = 60

const parameters = z.object({ file: z.string() })
/** Of a badge's address; what else is in a query is not ours to refuse, such as the mark of a mail program. */
const questions = z.object({
  branch: z.string().min(1).max(250).optional().catch(undefined),
  benchmark: z.string().min(1).max(1000).optional().catch(undefined),
})

/** The same for an address that was never one, and for one that is not any more. */
const nobody: Badge = { label: 'performance', message: 'unknown', mood: 'neutral' }

/**
 * `GET /v1/badges/<token>.svg`, with `?branch=` and `?benchmark=`: the token is the only credential, so register it
 * outside of anything that asks for another one.
 */
export function badgeRoutes(stores: Stores): FastifyPluginCallback {
  return (app, _options, done) => {
    app.get('/v1/badges/:file', async (request, reply) => {
      const token = /^([0-9a-f]{32})\.svg$/.exec(parameters.parse(request.params).file)?.[1]
      const asked = questions.parse(request.query)
      const badge = token === undefined ? undefined : await badgeOf(stores, token, asked)
      return reply
        .code(badge === undefined ? 404 : 200)
        .headers({
          'content-type': 'image/svg+xml; charset=utf-8',
          'cache-control': `public, max-age=${freshSeconds}`,
          // A picture for pages of others, and nothing but a picture when it is opened by itself.
          'cross-origin-resource-policy': 'cross-origin',
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
        })
        .send(badgeSvg(badge ?? nobody))
    })
    done()
  }
}
