import type { ActionOf, HttpServer } from '@flamegate/loadtest'
import type { BrowserContext, Page } from 'playwright'
import type { PageOutcome, PageRunner, PageUser } from '../ports.ts'
import { addServerHeaders, doSteps } from './do-steps.ts'
import { closeBrowser, openBrowser, type GatedBrowser } from './open-browser.ts'
import { PageExchanges } from './page-exchanges.ts'
import { nextSession, openSession, type Session } from './page-session.ts'
import { takeTrace, traceOptions } from './take-trace.ts'

const screenshotMs = 10_000

/** A browser with what it knows of one iteration. */
interface Opened {
  gated: GatedBrowser
  /** That were named until now. */
  servers: Map<string, HttpServer>
  iteration: number
  session: Session<PageExchanges>
}

/** Does the page actions of one virtual user. */
export interface ClosablePageRunner extends PageRunner {
  close: () => Promise<void>
}

/** In a browser of its own, which starts with the first of them, and with all that can be looked at afterwards. */
export function createPageRunner(): ClosablePageRunner {
  let opened: Promise<Opened> | undefined

  return {
    run: async (action, user) => {
      opened ??= open(user)
      const running = await opened
      const stop = () => void running.gated.browser.close().catch(() => undefined)
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
      if (running !== undefined) await closeBrowser(running.gated)
    },
  }
}

async function runAction(running: Opened, action: ActionOf<'page'>, user: PageUser): Promise<PageOutcome> {
  const { session, servers, gated } = running
  const { context } = session
  for (const [id, server] of user.servers) servers.set(id, server)
  await addServerHeaders(context, servers, user)
  if (!user.usesSecrets) await context.tracing.startChunk({ title: action.name || action.id })
  const failure = await doSteps(session, action, user)
  const screenshot = await takeScreenshot(session.page, user)
  const trace = user.usesSecrets ? null : await takeTrace(context)
  const taken = await session.watching.take()
  const messages = [
    ...[...gated.proxy.refused].map(([host, words]) => `${host} was refused: ${words}`),
    ...(taken.left === 0 ? [] : [`${taken.left} more requests were made than are kept.`]),
    ...(user.usesSecrets ? ['No trace was kept, because it would show the secrets that are used.'] : []),
  ]
  return {
    failure: failure?.words ?? null,
    errorClass: failure?.errorClass ?? null,
    preparationMs: 0,
    messages,
    exchanges: taken.exchanges,
    screenshot,
    trace,
  }
}

async function open(user: PageUser): Promise<Opened> {
  const gated = await openBrowser({ resolve: (host, port) => user.gate.resolve(host, port) })
  try {
    const session = await openSession(gated, user, watcherFor(user))
    return { gated, servers: new Map(), iteration: user.iteration, session }
  } catch (error) {
    await closeBrowser(gated)
    throw error
  }
}

async function beginIteration(running: Opened, user: PageUser): Promise<void> {
  running.iteration = user.iteration
  running.session = await nextSession(running.gated, running.session, user, watcherFor(user))
}

function watcherFor({ usesSecrets }: PageUser) {
  return async (context: BrowserContext): Promise<PageExchanges> => {
    if (!usesSecrets) await context.tracing.start(traceOptions)
    return new PageExchanges(context)
  }
}

/** What was filled in is covered where it may be a secret. */
async function takeScreenshot(page: Page, { usesSecrets }: PageUser): Promise<Uint8Array | null> {
  const mask = usesSecrets
    ? page.frames().map((frame) => frame.locator('input, textarea, [contenteditable]'))
    : []
  return page.screenshot({ timeout: screenshotMs, mask }).catch(() => null)
}
