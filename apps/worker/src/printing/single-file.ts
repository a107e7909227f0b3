import type { Page } from 'playwright'

/** Nothing is loaded, and nothing runs. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** What a page shows, as one file that needs no network: styles in it, canvases as pictures, and no scripts. */
export async function asSingleFile(page: Page): Promise<string> {
  await page.evaluate(makeStill, policy)
  return page.content()
}

/** Runs in the page. */
async function makeStill(contentPolicy: string): Promise<void> {
  const all = (selector: string) => [...document.querySelectorAll(selector)]
  const create = (name: string, attributes: Record<string, string>, text = '') => {
    const element = document.createElement(name)
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
    element.textContent = text
    return element
  }
  for (const canvas of all('canvas')) {
    const style = `${canvas.getAttribute('style') ?? ''};width:${canvas.clientWidth}px;height:${canvas.clientHeight}px`
    const picture = { src: canvas.toDataURL(), alt: '', class: canvas.className, style }
    canvas.replaceWith(create('img', picture))
  }
  for (const link of all('link[rel=stylesheet]')) {
    // oxlint-disable-next-line no-await-in-loop -- one or two, which the browser has already
    const css = await (await fetch(link.href)).text()
    link.replaceWith(create('style', {}, css))
  }
  // Within the file links stay as they are; all others lead to the site.
  for (const link of all('a[href]:not([href^="#"])')) link.setAttribute('href', link.href)
  for (const element of all('script, noscript, link, base')) element.remove()
  document.head.prepend(
    create('meta', { charset: 'utf-8' }),
    create('meta', { 'http-equiv': 'Content-Security-Policy', content: contentPolicy }),
    // What is the margin of the sheet on paper.
    create('style', {}, '@media screen { body { padding: 24px } }'),
  )
}

/** What of a page is asked for here. */
interface PageElement {
  href: string
  className: string
  textContent: string
  clientWidth: number
  clientHeight: number
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  replaceWith(other: PageElement): void
  remove(): void
  toDataURL(): string
}
declare const document: {
  querySelectorAll(selector: string): Iterable<PageElement>
  createElement(name: string): PageElement
  head: { prepend(...elements: PageElement[]): void }
}
