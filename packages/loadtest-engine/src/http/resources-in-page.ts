import { selectAll } from 'css-select'
import type { Received } from '../response/received.ts'

/** Of one page, at most. */
const resourcesMax = 500

const selectors: readonly { selector: string; attribute: string }[] = [
  {
    selector:
      'link[rel~="stylesheet" i], link[rel~="icon" i], link[rel~="preload" i], link[rel~="modulepreload" i]',
    attribute: 'href',
  },
  {
    selector: 'script[src], img[src], iframe[src], frame[src], embed[src], input[type="image" i]',
    attribute: 'src',
  },
  { selector: 'audio[src], video[src], source[src], track[src]', attribute: 'src' },
  { selector: 'video[poster]', attribute: 'poster' },
  { selector: 'body[background]', attribute: 'background' },
  { selector: 'object[data]', attribute: 'data' },
]

/** Addresses of what a page names and a browser loads with it, each once; empty where it is no HTML. */
export function resourcesInPage(received: Received): URL[] {
  if (!/html/i.test(received.header('content-type') ?? '')) return []
  const children = received.document.children
  const [base] = selectAll('base[href]', children)
  const page = URL.parse(
    (base !== undefined && 'attribs' in base && base.attribs['href']) || '',
    received.url,
  )
  const found = new Map<string, URL>()
  for (const { selector, attribute } of selectors) {
    for (const element of selectAll(selector, children)) {
      const value = 'attribs' in element ? element.attribs[attribute] : undefined
      const url = value === undefined ? null : URL.parse(value.trim(), page?.href ?? received.url)
      if (url === null || !/^https?:$/.test(url.protocol)) continue
      url.hash = ''
      if (url.href !== received.url && found.size < resourcesMax) found.set(url.href, url)
    }
  }
  return [...found.values()]
}
