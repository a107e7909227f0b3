import type { BrowserContext, Page } from 'playwright'
import type { PageUser } from '../ports.ts'
import type { GatedBrowser } from './open-browser.ts'

/** What a user has open in a browser: a context of its own, with its pages. */
export interface Session<Watching = unknown> {
  context: BrowserContext
  /** In the order in which they opened. */
  pages: Page[]
  /** The one that steps mean. */
  page: Page
  /** What watches the context. */
  watching: Watching
}

type Watch<Watching> = (context: BrowserContext) => Promise<Watching>
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** @param watch Is called before the context has a page */
export async function openSession<Watching>(
  { browser, proxy }: GatedBrowser,
  user: PageUser,
  watch: Watch<Watching>,
  storageState?: StorageState,
): Promise<Session<Watching>> {
  const isAnyCertificateGood = [...user.servers.values()].some(({ tls }) => !tls.verify)
  const context = await browser.newContext({
    proxy: { server: proxy.url, bypass: '<-loopback>' },
    acceptDownloads: false,
    ignoreHTTPSErrors: isAnyCertificateGood,
    ...(storageState === undefined ? {} : { storageState }),
  })
  const watching = await watch(context)
  const pages: Page[] = []
  context.on('page', (page) => pages.push(page))
  return { context, pages, page: await context.newPage(), watching }
}

/** The next iteration begins with one empty page, and without what the user forgets. */
export async function nextSession<Watching>(
  gated: GatedBrowser,
  session: Session<Watching>,
  user: PageUser,
  watch: Watch<Watching>,
): Promise<Session<Watching>> {
  const { cookies, cache } = user.forgets
  if (cache) {
    // Nothing but another context has another cache for certain.
    const carried = cookies ? undefined : await session.context.storageState({ indexedDB: true })
    await session.context.close()
    return openSession(gated, user, watch, carried)
  }
  if (cookies) await forgetStorage(session)
  const page = await session.context.newPage()
  const before = session.pages.filter((other) => other !== page)
  await Promise.all(before.map((other) => other.close()))
  session.pages.splice(0, session.pages.length, page)
  return { ...session, page }
}

/** Cookies, and what pages store beside them. */
async function forgetStorage({ context, page }: Session): Promise<void> {
  const { origins } = await context.storageState({ indexedDB: true })
  await context.clearCookies()
  if (origins.length === 0) return
  const opened = page.isClosed() ? await context.newPage() : page
  const browser = await context.newCDPSession(opened)
  for (const { origin } of origins) {
    // oxlint-disable-next-line no-await-in-loop -- few
    await browser.send('Storage.clearDataForOrigin', {
      origin,
      storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
    })
  }
  await browser.detach()
}
