import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { ActionOf, HttpServer } from '@flamegate/loadtest'
import type { Browser, BrowserContext, Page } from 'playwright'
import type { PageOutcome, PageRunner, PageUser, TargetGate } from '../ports.ts'
import { fillTemplates } from './fill-templates.ts'
import { startFilteringProxy, type FilteringProxy } from './filtering-proxy.ts'
import { launchBrowser } from './launch-browser.ts'
import { PageExchanges } from './page-exchanges.ts'
import { doStep, firstLine, StepFailure, stepWords } from './page-steps.ts'

/**
 * What keeps a browser from any way to the network but its proxy: no names are looked up by itself, nothing goes over UDP, and
 * loopback is no exception.
 */
const onlyThroughProxy = [
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
]

const closeMs = 10_000

/** A browser with what it knows of one iteration. */
interface Opened {
  browser: Browser
  proxy: FilteringProxy
  /** That were named until now. */
  servers: Map<string, HttpServer>
  iteration: number
  session: Session
}

interface Session {
  context: BrowserContext
  /** In the order in which they opened. */
  pages: Page[]
  /** The one that steps mean. */
  page: Page
  exchanges: PageExchanges
}

/** Does the page actions of one virtual user in a browser of its own, which starts with the first of them. */
export interface ClosablePageRunner extends PageRunner {
  close: () => Promise<void>
}

export function createPageRunner(): ClosablePageRunner {
  let opened: Promise<Opened> | undefined

  return {
    run: async (action, user) => {
      opened ??= open(user)
      const running = await opened
      const stop = () => void running.browser.close().catch(() => undefined)
      user.signal.addEventListener('abort', stop, { once: true })
      try {
        if (running.iteration !== user.iteration) await beginIteration(running, user)
        return await runAction(running, action, user)
      } finally {
        user.signal.removeEventListener('abort', stop)
      }
    },
    close: async () => {
      const running = await opened?.catch(() => undefined)
      await running?.browser.close().catch(() => undefined)
      await running?.proxy.stop()
    },
  }
}

async function runAction(running: Opened, action: ActionOf<'page'>, user: PageUser): Promise<PageOutcome> {
  const { session, proxy, servers } = running
  const { context, exchanges } = session
  for (const [id, server] of user.servers) servers.set(id, server)
  await addServerHeaders(context, servers, user)
  if (!user.usesSecrets) await context.tracing.startChunk({ title: action.name || action.id })
  const failure = await doSteps(session, action, user)
  const screenshot = await takeScreenshot(session.page, user)
  const trace = user.usesSecrets ? null : await takeTrace(context)
  const taken = await exchanges.take()
  const messages = [
    ...[...proxy.refused].map(([host, words]) => `${host} was refused: ${words}`),
    ...(taken.left === 0 ? [] : [`${taken.left} more requests were made than are kept.`]),
    ...(user.usesSecrets ? ['No trace was kept, because it would show the secrets that are used.'] : []),
  ]
  return { failure, messages, exchanges: taken.exchanges, screenshot, trace }
}

async function open(user: PageUser): Promise<Opened> {
  const proxy = await startFilteringProxy(userGate(user))
  try {
    const browser = await launchBrowser(onlyThroughProxy)
    const session = await openSession(browser, proxy, user)
    return { browser, proxy, servers: new Map(), iteration: user.iteration, session }
  } catch (error) {
    await proxy.stop()
    throw error
  }
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

async function openSession(
  browser: Browser,
  proxy: FilteringProxy,
  user: PageUser,
  storageState?: StorageState,
): Promise<Session> {
  const isAnyCertificateGood = [...user.servers.values()].some(({ tls }) => !tls.verify)
  const context = await browser.newContext({
    proxy: { server: proxy.url, bypass: '<-loopback>' },
    acceptDownloads: false,
    ignoreHTTPSErrors: isAnyCertificateGood,
    ...(storageState === undefined ? {} : { storageState }),
  })
  if (!user.usesSecrets) await context.tracing.start({ screenshots: true, snapshots: true })
  const pages: Page[] = []
  context.on('page', (page) => pages.push(page))
  const page = await context.newPage()
  return { context, pages, page, exchanges: new PageExchanges(context) }
}

/** It begins with one empty page, and without what the user forgets. */
async function beginIteration(running: Opened, user: PageUser): Promise<void> {
  const { browser, proxy, session } = running
  const { cookies, cache } = user.forgets
  running.iteration = user.iteration
  if (cache) {
    // Nothing but another context has another cache for certain.
    const carried = cookies ? undefined : await session.context.storageState({ indexedDB: true })
    await session.context.close()
    running.session = await openSession(browser, proxy, user, carried)
    return
  }
  if (cookies) await forgetStorage(session)
  const page = await session.context.newPage()
  const before = session.pages.filter((other) => other !== page)
  await Promise.all(before.map((other) => other.close()))
  Object.assign(session, { page })
  session.pages.splice(0, session.pages.length, page)
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

/** What was filled in is covered where it may be a secret. */
async function takeScreenshot(page: Page, { usesSecrets }: PageUser): Promise<Uint8Array | null> {
  const mask = usesSecrets
    ? page.frames().map((frame) => frame.locator('input, textarea, [contenteditable]'))
    : []
  return page.screenshot({ timeout: closeMs, mask }).catch(() => null)
}

function userGate(user: PageUser): TargetGate {
  return { resolve: (host, port) => user.gate.resolve(host, port) }
}

/** Headers and credentials of a server go to that server alone; they are what the variables say now. */
async function addServerHeaders(
  context: BrowserContext,
  servers: ReadonlyMap<string, HttpServer>,
  user: PageUser,
): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  for (const server of servers.values()) {
    const { authentication, headers } = server
    if (headers.length === 0 && (authentication.type === 'none' || authentication.type === 'digest')) continue
    const base = new URL(await user.expand(server.base_url))
    const added: Record<string, string> = {}
    for (const { name, value } of headers)
      added[(await user.expand(name)).toLowerCase()] = await user.expand(value)
    if (authentication.type === 'basic') {
      const pair = `${await user.expand(authentication.user_name)}:${await user.expand(authentication.password)}`
      added['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
    } else if (authentication.type === 'bearer') {
      added['authorization'] = `Bearer ${await user.expand(authentication.token)}`
    }
    await context.route(
      (url) => url.origin === base.origin,
      (route) => route.continue({ headers: { ...route.request().headers(), ...added } }),
    )
  }
}

/** Undefined failure is none: the words of the first step that failed, after which none is done. */
async function doSteps(running: Session, action: ActionOf<'page'>, user: PageUser): Promise<string | null> {
  for (const [index, step] of action.steps.entries()) {
    if (!step.enabled) continue
    if (user.signal.aborted) return 'It was cancelled.'
    try {
      if (step.type === 'use_page')
        running.page = await pageAt(running, step.page, step.timeout_ms ?? action.timeout_ms)
      else await doStep(running.page, await fillTemplates(step, user.expand), user, action.timeout_ms)
    } catch (error) {
      return `Step ${index + 1}, ${stepWords(step)}: ${firstLine(error)}`
    }
  }
  return null
}

/** The page that opened after so many others; waits until it is there. */
async function pageAt({ context, pages }: Session, index: number, timeoutMs: number): Promise<Page> {
  const endMs = performance.now() + timeoutMs
  for (;;) {
    const page = pages[index]
    if (page?.isClosed() === true) throw new StepFailure('It is closed.')
    if (page !== undefined) return page
    const timeout = Math.max(endMs - performance.now(), 1)
    await context.waitForEvent('page', { timeout }).catch(() => {
      throw new StepFailure(`Only ${pages.length} opened within ${timeoutMs} ms.`)
    })
  }
}

/** A trace for Playwright's viewer (https://playwright.dev/docs/trace-viewer), as a ZIP file. */
async function takeTrace(context: BrowserContext): Promise<Uint8Array | null> {
  const path = join(tmpdir(), `flamegate-trace-${randomUUID()}.zip`)
  try {
    await context.tracing.stopChunk({ path })
    return await readFile(path)
  } catch {
    return null
  } finally {
    await rm(path, { force: true })
  }
}
