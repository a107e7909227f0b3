import { createGuessLimiter, hashSecret } from '@flamegate/auth'
import { Problem, type Principal } from '@flamegate/contract'
import { admission, type CallLimits } from '@flamegate/operations'
import type { IdentityStore, Stores } from '@flamegate/operations/ports'
import { emptyJsonParser, noteForAccessLog } from '@flamegate/runtime'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { z } from 'zod'
import { createProvisioning, type ScimCall } from './provisioning.ts'
import { discovery, listResponse, mostPeople } from './scim-discovery.ts'
import { scimErrorHandler, scimMediaType } from './scim-errors.ts'
import { readFilter } from './scim-filter.ts'
import { patchUser, readUser, userResource } from './scim-user.ts'

export interface ScimOptions {
  stores: Pick<Stores, 'scim' | 'workspaces' | 'plans'>
  identity: IdentityStore
  /** What calls may use; undefined where they are not limited. */
  limits: CallLimits | undefined
}

/** Enough for a person with every attribute that there is. */
const bodyBytesMax = 65_536
const longestUserAgent = 300

const pageSchema = z.object({
  filter: z.string().max(1000).optional(),
  // Less than the first is the first, and less than none is none (RFC 7644, 3.4.2.4).
  startIndex: z.coerce.number().int().max(1_000_000_000).default(1),
  count: z.coerce.number().int().max(1_000_000_000).default(100),
})

const idSchema = z.object({ id: z.string() })

const noFields = z.object({})

/**
 * SCIM 2.0 (RFC 7643, RFC 7644) at `/scim/v2`: the identity provider of a workspace adds, changes and removes members, with the
 * workspace's SCIM token, which says which workspace it is.
 */
export function scimRoutes(publicUrl: string, options: ScimOptions): FastifyPluginAsync {
  const { stores, identity, limits } = options
  const baseUrl = `${publicUrl}/scim/v2`
  const provisioning = createProvisioning({ stores, identity })
  const { schema, resourceType, serviceProviderConfig } = discovery(
    baseUrl,
    `${publicUrl}/docs/single-sign-on`,
  )
  const guesses = createGuessLimiter(Date.now)

  /** @throws Problem `unauthenticated` or `rate_limited` */
  async function enter(request: FastifyRequest, reply: FastifyReply): Promise<ScimCall> {
    const { authorization = '', 'user-agent': userAgent } = request.headers
    const secret = /^Bearer +([^ ]+) *$/i.exec(authorization)?.[1]
    const tokenHash = hashSecret(secret ?? '')
    if (secret !== undefined) guesses.beforeLookUp(request.ip, tokenHash)
    const token = secret === undefined ? undefined : await identity.scim.findToken(tokenHash)
    if (token === undefined) {
      if (secret !== undefined) guesses.noteWrong(request.ip, tokenHash)
      reply.header('www-authenticate', 'Bearer realm="scim"')
      throw new Problem('unauthenticated', 'Send Authorization: Bearer with the SCIM token of a workspace.')
    }
    guesses.noteRight(tokenHash)
    noteForAccessLog(request, { workspaceId: token.workspaceId })
    const principal: Principal = {
      // Not in the name of who made it: that person may leave.
      userId: token.id,
      via: 'api_token',
      clientId: token.id,
      clientName: 'SCIM',
      scopes: [],
      workspaceIds: [token.workspaceId],
    }
    return {
      token,
      caller: {
        principal,
        roles: new Map([[token.workspaceId, 'admin']]),
        access: request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'admin',
      },
      origin: {
        requestId: request.id,
        ip: request.ip,
        userAgent: userAgent?.slice(0, longestUserAgent) ?? null,
      },
    }
  }

  /** Who has the token, within the limits of calls; then what the route does. */
  function served(
    work: (call: ScimCall, request: FastifyRequest, reply: FastifyReply) => Promise<object | undefined>,
  ): RouteHandlerMethod {
    return async (request, reply) => {
      noteForAccessLog(request, { operation: 'scim' })
      const call = await enter(request, reply)
      const effect = call.caller.access === 'read' ? 'read' : 'write'
      const asked = { id: 'scim', effect, scopes: [], mcp: false, input: noFields } as const
      const admitted = admission({ limits, plans: stores.plans }, asked, call.caller.principal, undefined)
      try {
        await admitted.enter()
        await admitted.enterWorkspace(call.token.workspaceId)
        const answer = await work(call, request, reply)
        reply.header('cache-control', 'no-store')
        if (answer === undefined) return await reply.code(204).send()
        return await reply.type(scimMediaType).send(answer)
      } finally {
        admitted.leave()
      }
    }
  }

  /** @throws Problem `member_not_found` */
  const personOf = (call: ScimCall, { params }: FastifyRequest) =>
    provisioning.get(call, idSchema.parse(params).id)

  return async (app) => {
    app.setErrorHandler(scimErrorHandler)
    app.addContentTypeParser(
      'application/scim+json',
      { parseAs: 'string', bodyLimit: bodyBytesMax },
      emptyJsonParser(app),
    )
    const withBody = { bodyLimit: bodyBytesMax }

    app.get(
      '/scim/v2/ServiceProviderConfig',
      served(async () => serviceProviderConfig),
    )
    app.get(
      '/scim/v2/ResourceTypes',
      served(async () => listResponse([resourceType])),
    )
    app.get(
      '/scim/v2/ResourceTypes/User',
      served(async () => resourceType),
    )
    app.get(
      '/scim/v2/Schemas',
      served(async () => listResponse([schema])),
    )
    app.get(
      `/scim/v2/Schemas/${schema.id.replaceAll(':', '::')}`,
      served(async () => schema),
    )

    app.get(
      '/scim/v2/Users',
      served(async ({ caller, token }, request) => {
        const page = pageSchema.safeParse(request.query)
        if (page.data === undefined) {
          throw new Problem('invalid_input', 'startIndex and count are whole numbers.')
        }
        const { filter, count } = page.data
        const startIndex = Math.max(page.data.startIndex, 1)
        const limit = Math.min(Math.max(count, 0), mostPeople)
        const query = filter === undefined ? {} : readFilter(filter)
        const { people, total } = await stores.scim.list(caller, token.workspaceId, query, {
          skip: startIndex - 1,
          limit,
        })
        const resources = people.map((person) => userResource(person, baseUrl))
        return listResponse(resources, total, startIndex)
      }),
    )
    app.post(
      '/scim/v2/Users',
      withBody,
      served(async (call, request, reply) => {
        const user = userResource(await provisioning.create(call, readUser(request.body)), baseUrl)
        reply.code(201).header('location', user.meta.location)
        return user
      }),
    )
    app.get(
      '/scim/v2/Users/:id',
      served(async (call, request) => userResource(await personOf(call, request), baseUrl)),
    )
    app.put(
      '/scim/v2/Users/:id',
      withBody,
      served(async (call, request) => {
        const person = await personOf(call, request)
        return userResource(await provisioning.change(call, person, readUser(request.body)), baseUrl)
      }),
    )
    app.patch(
      '/scim/v2/Users/:id',
      withBody,
      served(async (call, request) => {
        const person = await personOf(call, request)
        const told = await patchUser(person, request.body)
        return userResource(await provisioning.change(call, person, told), baseUrl)
      }),
    )
    app.delete(
      '/scim/v2/Users/:id',
      served(async (call, request) => {
        await provisioning.remove(call, await personOf(call, request))
        return undefined
      }),
    )
    // Groups, Bulk, Me and searches by POST.
    app.all('/scim/v2/*', async ({ method, url }) => {
      throw new Problem('not_found', `There is nothing at ${method} ${url.split('?')[0]}.`)
    })
  }
}
