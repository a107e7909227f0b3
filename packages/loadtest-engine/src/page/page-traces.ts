import type { ActionOf } from '@flamegate/loadtest'
import type { BrowserContext } from 'playwright'
import { takeTrace, traceOptions } from './take-trace.ts'

/** A page action as a user did it, for Playwright's trace viewer. */
export interface PageTrace {
  actionId: string
  hasFailed: boolean
  /** ZIP. */
  bytes: Uint8Array
}

/** Of one action of a profile: what it looks like where it works, and what it fails of. */
const passedMax = 1
const failedMax = 2
/** Of all actions that share a browser. */
const tracesMax = 20

/** Which page actions are still to be traced, of all users that share a browser. */
export class WantedTraces {
  readonly #kept = new Map<string, { passed: number; failed: number }>()
  #count = 0

  /** False when no action is traced any more. */
  get isOpen(): boolean {
    return this.#count < tracesMax
  }

  /** Whether an action, however it ends, may be one that is kept. */
  wants(action: string): boolean {
    const { passed, failed } = this.#of(action)
    return this.isOpen && (passed < passedMax || failed < failedMax)
  }

  /** Whether one that has ended is kept; it is counted then. */
  take(action: string, hasFailed: boolean): boolean {
    const of = this.#of(action)
    const isWanted = this.isOpen && (hasFailed ? of.failed < failedMax : of.passed < passedMax)
    if (!isWanted) return false
    this.#kept.set(action, hasFailed ? { ...of, failed: of.failed + 1 } : { ...of, passed: of.passed + 1 })
    this.#count++
    return true
  }

  #of(action: string): { passed: number; failed: number } {
    return this.#kept.get(action) ?? { passed: 0, failed: 0 }
  }
}

/**
 * Records the page actions of one user. How an action ends is not known before, so all are recorded as long as one of their
 * kind is wanted, and thrown away where it is none.
 */
export class PageTracer {
  readonly #wanted: WantedTraces
  /** Tells its actions from those of other profiles. */
  readonly #profile: number
  readonly #told: (trace: PageTrace) => void
  #recorded: BrowserContext | undefined
  /** The action that is being recorded. */
  #action: string | undefined
  #saving: Promise<void> = Promise.resolve()

  constructor(wanted: WantedTraces, profile: number, told: (trace: PageTrace) => void) {
    this.#wanted = wanted
    this.#profile = profile
    this.#told = told
  }

  /** Of each iteration: what Playwright keeps of the one before would fill the disk in the end. */
  async beginIteration(context: BrowserContext): Promise<void> {
    await this.saved()
    if (this.#recorded === context) await context.tracing.stop()
    this.#recorded = undefined
    if (!this.#wanted.isOpen) return
    await context.tracing.start(traceOptions)
    this.#recorded = context
  }

  async beginAction({ id, name }: ActionOf<'page'>): Promise<void> {
    await this.saved()
    const action = `${this.#profile} ${id}`
    if (this.#recorded === undefined || !this.#wanted.wants(action)) return
    await this.#recorded.tracing.startChunk({ title: name || id })
    this.#action = action
  }

  /** What it takes to keep it is no time of the action: it goes on beside what the user does until the next one. */
  endAction({ id }: ActionOf<'page'>, hasFailed: boolean): void {
    const context = this.#recorded
    if (context === undefined || this.#action === undefined) return
    const isKept = this.#wanted.take(this.#action, hasFailed)
    this.#action = undefined
    this.#saving = isKept ? this.#keep(context, id, hasFailed) : context.tracing.stopChunk().catch(() => {})
  }

  /** When nothing is being kept any more. */
  saved(): Promise<void> {
    return this.#saving
  }

  async #keep(context: BrowserContext, actionId: string, hasFailed: boolean): Promise<void> {
    const bytes = await takeTrace(context)
    if (bytes !== null) this.#told({ actionId, hasFailed, bytes })
  }
}
