import { readdir } from 'node:fs/promises'
import { relative, join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import { Problem } from '@flamegate/contract'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'

const yearSeconds = 31_536_000
/** What a build puts here has a hash of its content in its name. */
const hashedFolder = 'assets/'

/**
 * The web UI: the files under `root`, and its `index.html` for the addresses of its pages. Only names that were there
 * at start are served, so that no path can lead elsewhere.
 */
export async function staticWeb(root: string): Promise<FastifyPluginAsync> {
  const files = new Set(await listFiles(root))
  if (!files.has('index.html'))
    throw new TypeError(`There is no index.html in ${root}: build the web UI first.`)

  return async (app) => {
    await app.register(fastifyStatic, {
      root,
      serve: false,
      preCompressed: [...files].some((file) => file.endsWith('.br') || file.endsWith('.gz')),
      cacheControl: false,
    })
    app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
      const file = request.params['*'] || 'index.html'
      if (files.has(file)) {
        const isHashed = file.startsWith(hashedFolder)
        reply.header('cache-control', isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
        return reply.sendFile(file)
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

/** Paths relative to `root`, with `/` between the parts. */
async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
}
