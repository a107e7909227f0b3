import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { addDocsHeaders } from './security-headers.ts'
import { hashedCaching, listFiles } from './static-files.ts'

/** What the site was built for: `base` in apps/docs/src/site.ts. */
const base = '/docs/'
const notBuilt = `<!doctype html><title>Documentation</title>
<p>The documentation was not built here. <code>npm run docs</code> builds it; its pages are in the folder docs, too.</p>
`

/**
 * The documentation below `/docs`: pages without their `.html`, and what they load. Where there is no build, a page that says so.
 * Only names that were there at start are served.
 */
export async function docsSite(publicUrl: string, root: string | undefined): Promise<FastifyPluginAsync> {
  if (root === undefined || !existsSync(join(root, 'index.html'))) return docsNotBuilt(publicUrl)
  const files = new Set(await listFiles(root))
  const inlineScripts = scriptsIn(await readFile(join(root, 'index.html'), 'utf8'))

  return async (app) => {
    await addDocsHeaders(app, { publicUrl, inlineScripts })
    await app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false })
    app.get('/docs', (_request, reply) => reply.redirect(base, 308))
    app.get<{ Params: { '*': string } }>(`${base}*`, async (request, reply) => {
      const path = request.params['*']
      const file = [path, `${path}.html`, `${path}index.html`].find((each) => files.has(each))
      reply.header('cache-control', hashedCaching(file ?? ''))
      return file === undefined ? reply.code(404).sendFile('404.html') : reply.sendFile(file)
    })
  }
}

function docsNotBuilt(publicUrl: string): FastifyPluginAsync {
  return async (app) => {
    await addDocsHeaders(app, { publicUrl, inlineScripts: [] })
    for (const path of ['/docs', `${base}*`]) {
      app.get(path, (_request, reply) => reply.code(404).type('text/html; charset=utf-8').send(notBuilt))
    }
  }
}

/** They choose light or dark before the first paint, and are the same in all pages. */
function scriptsIn(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)].map((match) => match[1] ?? '')
}
