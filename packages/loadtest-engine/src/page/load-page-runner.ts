import type { ActionOf, HttpServer } from '@flamegate/loadtest'
import type { PageOutcome, PageUser } from '../ports.ts'
import type { ClosablePageRunner } from './create-page-runner.ts'
import { addServerHeaders, doSteps } from './do-steps.ts'
import type { GatedBrowser } from './open-browser.ts'
import { nextSession, openSession, type Session } from './page-session.ts'
import type { PageTracer } from './page-traces.ts'
import { type PageLoad, VitalsWatch } from './web-vitals.ts'

const closeMs = 2000
/** A trace of a large page takes seconds. */
const traceMs = 5000

/** Does the page actions of one user under load: measures, and keeps nothing that could be looked at but the traces that are asked for. */
export class LoadPageRunner implements ClosablePageRunner {
  readonly #running: () => Promise<GatedBrowser>
  readonly #told: (load: PageLoad) => void
  readonly #tracer: PageTracer | undefined
  readonly #servers = new Map<string, HttpServer>()
  #gated: GatedBrowser | undefined
  #session: Session<VitalsWatch> | undefined
  #iteration = -1

  constructor(
    running: () => Promise<GatedBrowser>,
    told: (load: PageLoad) => void,
    tracer: PageTracer | undefined,
  ) {
    this.#running = running
    this.#told = told
    this.#tracer = tracer
  }

  async run(action: ActionOf<'page'>, user: PageUser): Promise<PageOutcome> {
    const { signal } = user
    signal.throwIfAborted()
    const stop = () => void this.#session?.context.close().catch(() => undefined)
    signal.addEventListener('abort', stop, { once: true })
    const began = performance.now()
    try {
      const session = await this.#ready(user)
      session.watching.actionId = action.id
      await this.#tracer?.beginAction(action)
      const preparationMs = performance.now() - began
      const failure = await doSteps(session, action, user)
      this.#tracer?.endAction(action, failure !== null)
      session.watching.tellLeft()
      return {
        ...nothingKept,
        failure: failure?.words ?? null,
        errorClass: failure?.errorClass ?? null,
        preparationMs,
      }
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  async close(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    if (session === undefined) return
    await within(traceMs, this.#tracer?.saved())
    await session.watching.leave(session.pages)
    await within(closeMs, session.context.close())
  }

  /** The pages of this iteration, with the headers that the servers want now. */
  async #ready(user: PageUser): Promise<Session<VitalsWatch>> {
    const session = this.#iteration === user.iteration ? this.#session : await this.#begin(user)
    if (session === undefined) throw new Error('The browser broke down.')
    for (const [id, server] of user.servers) this.#servers.set(id, server)
    await addServerHeaders(session.context, this.#servers, user)
    return session
  }

  async #begin(user: PageUser): Promise<Session<VitalsWatch>> {
    const earlier = this.#session
    this.#iteration = user.iteration
    this.#session = undefined
    await earlier?.watching.leave(earlier.pages)
    const gated = await this.#running()
    // What a browser kept that broke down is gone with it.
    const isKept = earlier !== undefined && this.#gated === gated
    this.#gated = gated
    this.#session = await (isKept
      ? nextSession(gated, earlier, user, (context) => VitalsWatch.of(context, this.#told))
      : openSession(gated, user, (context) => VitalsWatch.of(context, this.#told)))
    if (!user.usesSecrets) await this.#tracer?.beginIteration(this.#session.context)
    return this.#session
  }
}

/** No longer than so, and whatever comes of it. */
async function within(limitMs: number, work: Promise<void> | undefined): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, limitMs)
  await Promise.race([work?.catch(() => undefined), late.promise])
  clearTimeout(timer)
}

const nothingKept = { messages: [], exchanges: [], screenshot: null, trace: null }
