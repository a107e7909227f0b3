import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** Links of the built pages to a place of a page that has no such place, as sentences. That pages exist is seen while they are built. */
export function brokenAnchors(folder: string, base: string): string[] {
  const pages = globSync('**/*.html', { cwd: folder })
  const contents = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]))
  const idsOf = new Map([...contents].map(([page, html]) => [page, idsIn(html)]))
  return [...contents].flatMap(([page, html]) =>
    [...html.matchAll(/ href="([^"#:]*)#([^"]+)"/g)]
      .filter(([, path = '', anchor = '']) => {
        const ids = idsOf.get(path === '' ? page : fileOf(path, page, base))
        return ids !== undefined && !ids.has(decodeURIComponent(anchor))
      })
      .map(([, path = '', anchor = '']) => `${page}: ${path}#${anchor}`),
  )
}

function idsIn(html: string): Set<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
}

function fileOf(path: string, page: string, base: string): string {
  const inside = path.startsWith(base) ? path.slice(base.length) : posix.join(dirname(page), path)
  return inside === '' || inside.endsWith('/') ? posix.join(inside, 'index.html') : `${inside}.html`
}
