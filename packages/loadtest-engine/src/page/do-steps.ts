import type { ActionOf, HttpServer } from '@flamegate/loadtest'
import type { ErrorClass } from '@flamegate/series'
import type { BrowserContext, Page } from 'playwright'
import type { PageUser } from '../ports.ts'
import { withOneScheme } from '../http/request-url.ts'
import { fillTemplates } from './fill-templates.ts'
import type { Session } from './page-session.ts'
import { doStep, failureClass, firstLine, StepFailure, stepWords } from './page-steps.ts'

/** Why steps ended before the last of them. */
export interface StepsFailure {
  words: string
  errorClass: ErrorClass
}

/** Null where all were done; else the first step that failed, after which none is done. */
export async function doSteps(
  session: Session,
  action: ActionOf<'page'>,
  user: PageUser,
): Promise<StepsFailure | null> {
  for (const [index, step] of action.steps.entries()) {
    if (!step.enabled) continue
    if (user.signal.aborted) return { words: 'It was cancelled.', errorClass: 'other' }
    try {
      if (step.type === 'use_page')
        session.page = await pageAt(session, step.page, step.timeout_ms ?? action.timeout_ms)
      else await doStep(session.page, await fillTemplates(step, user.expand), user, action.timeout_ms)
    } catch (error) {
      return {
        words: `Step ${index + 1}, ${stepWords(step)}: ${firstLine(error)}`,
        errorClass: failureClass(error),
      }
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
      throw new StepFailure(`Only ${pages.length} opened within ${timeoutMs} ms.`, 'timeout')
    })
  }
}

/** Headers and credentials of a server go to that server alone; they are what the variables say now. */
export async function addServerHeaders(
  context: BrowserContext,
  servers: ReadonlyMap<string, HttpServer>,
  user: PageUser,
): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  for (const server of servers.values()) {
    const { authentication, headers } = server
    if (headers.length === 0 && (authentication.type === 'none' || authentication.type === 'digest')) continue
    const base = new URL(withOneScheme(await user.expand(server.base_url)))
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
