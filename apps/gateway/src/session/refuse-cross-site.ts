import { isSameOrigin } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { FastifyRequest } from 'fastify'

/** A hook for routes that change things on the word of a cookie: only our own pages may call them. */
export function refuseCrossSite(siteUrl: string) {
  return async ({ headers }: FastifyRequest): Promise<void> => {
    const secFetchSite = headers['sec-fetch-site']
    const origin = {
      origin: headers.origin,
      secFetchSite: typeof secFetchSite === 'string' ? secFetchSite : undefined,
    }
    if (isSameOrigin(origin, siteUrl)) return
    throw new Problem('cross_site_request', `Only pages of ${siteUrl} may send this: Origin must say so.`)
  }
}
