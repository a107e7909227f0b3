import fastifyStatic from '@fastify/static'
import { Problem } from '@flamegate/contract'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { SiteNames } from './site-names.ts'
import { hashedCaching, listFiles } from './static-files.ts'

/** There is no web UI where the settings say. `message` is meant to be printed as it is. */
class NoWebPages extends Error {
  override name = 'NoWebPages'
  readonly isForOperator = true
}

/**
 * The web UI: the files under `root`, and its `index.html` for the addresses of its pages. Only names that were there
 * at start are served, so that no path can lead elsewhere.
 * @throws NoWebPages
 */
export async function staticWeb(
  root: string,
  { publicOrigin, originOf }: Pick<SiteNames, 'publicOrigin' | 'originOf'>,
): Promise<FastifyPluginAsync> {
  const files = new Set(await listFiles(root).catch(() => []))
  if (!files.has('index.html'))
    throw new NoWebPages(
      `A setting is not right:\n  FLAMEGATE_WEB_DIR is "${root}". There is no index.html in it. Set it to the folder of the built web UI, or leave it out for no pages.`,
    )

  return async (app) => {
    await app.register(fastifyStatic, {
      root,
      serve: false,
      preCompressed: [...files].some((file) => file.endsWith('.br') || file.endsWith('.gz')),
      cacheControl: false,
    })
    app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
      // Cookies and log-ins are of the public URL alone, so that pages lead there.
      if (isPageVisit(request) && originOf(request.host) !== publicOrigin)
        return reply.header('cache-control', 'no-store').redirect(`${publicOrigin}${request.url}`, 302)
      const file = request.params['*'] || 'index.html'
      if (files.has(file)) {
        return reply.header('cache-control', hashedCaching(file)).sendFile(file)
      }
      if (!isPageVisit(request)) throw new Problem('not_found', 'There is nothing at this address.')
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    })
  }
}

/** Somebody went to an address, rather than a page asking for a script or data that is not there. */
function isPageVisit({ headers, url }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return headers.accept?.includes('text/html') === true && !/\.\w+$/.test(path)
}
