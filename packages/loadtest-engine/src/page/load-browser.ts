import type { ActionOf } from '@flamegate/loadtest'
import type { PageOutcome, PageUser, TargetGate } from '../ports.ts'
import type { ClosablePageRunner } from './create-page-runner.ts'
import { LoadPageRunner } from './load-page-runner.ts'
import { closeBrowser, openBrowser, type GatedBrowser } from './open-browser.ts'
import { type PageTrace, PageTracer, WantedTraces } from './page-traces.ts'
import type { PageLoad } from './web-vitals.ts'

/** Who hears of what a user does in pages. */
export interface PageListener {
  /** The place of its profile, which tells its actions from those of others. */
  profile: number
  /** Each page that the user loaded, when it was left. */
  onLoad: (load: PageLoad) => void
  /** A few of its actions, where they are to be traced. */
  onTrace?: ((trace: PageTrace) => void) | undefined
}

/** A browser that all users of a generator share who have pages, each with contexts of its own. */
export class LoadBrowser {
  readonly #gate: TargetGate
  readonly #usersMax: number
  readonly #wantedTraces = new WantedTraces()
  #gated: Promise<GatedBrowser>
  #users = 0

  private constructor(gate: TargetGate, usersMax: number) {
    this.#gate = gate
    this.#usersMax = usersMax
    this.#gated = openBrowser(gate)
  }

  /** Starts it, so that what keeps it from starting is known before there is load. `usersMax`: at once. */
  static async open(gate: TargetGate, usersMax: number): Promise<LoadBrowser> {
    const browser = new LoadBrowser(gate, usersMax)
    await browser.#gated
    return browser
  }

  /** For one more user. */
  forUser({ profile, onLoad, onTrace }: PageListener): ClosablePageRunner {
    let runner: LoadPageRunner | undefined
    return {
      run: (action: ActionOf<'page'>, user: PageUser): Promise<PageOutcome> => {
        if (runner === undefined) {
          if (this.#users >= this.#usersMax)
            throw new Error(`This agent has a browser for ${this.#usersMax} users at most.`)
          this.#users++
          const tracer = onTrace && new PageTracer(this.#wantedTraces, profile, onTrace)
          runner = new LoadPageRunner(() => this.#running(), onLoad, tracer)
        }
        return runner.run(action, user)
      },
      close: async () => {
        if (runner === undefined) return
        await runner.close()
        this.#users--
        runner = undefined
      },
    }
  }

  async close(): Promise<void> {
    const gated = await this.#gated.catch(() => undefined)
    if (gated !== undefined) await closeBrowser(gated)
  }

  /** Another one in place of one that broke down; whoever comes first sees to it. */
  async #running(): Promise<GatedBrowser> {
    const current = this.#gated
    const gated = await current.catch(() => undefined)
    if (gated?.browser.isConnected() === true) return gated
    if (this.#gated === current) {
      this.#gated = openBrowser(this.#gate)
      if (gated !== undefined) await gated.proxy.stop()
    }
    return this.#gated
  }
}
