import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/**
 * Links as GitHub follows them, made for the site. A `README.md` is the page of its folder. Files of the repository beside
 * `docs/` are not on the site: such a link is text that names the file.
 */
export function withLinksOfSite(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('links_of_site', ({ tokens, env }) => {
    const page: unknown = env.relativePath
    const folder = posix.dirname(typeof page === 'string' ? page : '')
    for (const { children } of tokens) {
      let isOut = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? ''
          isOut = leadsOut(folder, href)
          if (isRelative(href)) token.attrSet('href', withoutReadme(href))
        }
        if (!isOut || !token.type.startsWith('link_')) continue
        token.tag = 'span'
        token.attrs = token.type === 'link_open' ? [['title', 'A file of the repository']] : null
        token.type = token.type.replace('link', 'text_out')
        if (token.type === 'text_out_close') isOut = false
      }
    }
  })
}

function leadsOut(folder: string, href: string): boolean {
  return isRelative(href) && posix.join(folder, href).startsWith('../')
}

function isRelative(href: string): boolean {
  return !/^[a-z]+:|^[#/]/.test(href)
}

/** `decisions/README.md#one` is `decisions/#one`. */
function withoutReadme(href: string): string {
  return href.replace(/(^|\/)README\.md(?=#|$)/, (_, slash: string) => slash || './')
}
