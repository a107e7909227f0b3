import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { ActionFailure, UserEnded } from '../action-failure.ts'
import { Authorization } from '../http/authorization.ts'
import { HttpClient } from '../http/http-client.ts'
import type { Observer, UserPlan } from '../ports.ts'
import { Random } from '../random.ts'
import { Redactor } from '../redactor.ts'
import type { Received } from '../response/received.ts'
import { UserVariables } from '../variables/user-variables.ts'
import type { VariablePool } from '../variables/variable-pool.ts'
import { WebSockets } from '../websocket/web-sockets.ts'
import type { CompiledTemplate, Value } from './compiled-template.ts'
import type { Program } from './compile.ts'
import { ResultDraft } from './result-draft.ts'
import type { Step } from './step.ts'

/** Steps after which others get their turn, also where none of them waits for anything. */
const stepsInARow = 500

/** One virtual user while it runs. */
export class User {
  readonly plan: UserPlan
  readonly program: Program
  readonly random: Random
  readonly variables: UserVariables
  readonly redactor: Redactor
  readonly http: HttpClient
  readonly authorization = new Authorization()
  readonly sockets: WebSockets
  /** The answer that scripts see. */
  lastReceived: Received | null = null
  iteration = 0
  /** As performance.now() tells it. */
  iterationStart = 0
  passed = 0
  failed = 0
  /** Moment before which the next iteration may not begin, as performance.now() tells it. */
  pacedUntil = 0
  /** To be called by whatever holds up the thread and knows that it does. */
  readonly pulse: () => void
  readonly #observer: Observer
  readonly #skipped = new Set<string>()
  #sequence = 0
  #stepsDone = 0

  constructor(program: Program, pool: VariablePool, plan: UserPlan, observer: Observer, pulse: () => void) {
    this.pulse = pulse
    this.program = program
    this.plan = plan
    this.#observer = observer
    this.random = new Random(plan.seed)
    this.redactor = new Redactor(plan.secrets.values())
    this.variables = new UserVariables(pool, plan.secrets, this.random)
    this.http = new HttpClient({
      gate: plan.gate,
      signal: plan.signal,
      redactor: this.redactor,
      userAgent: program.userAgent,
      keepsCookies: program.cookies.keep,
      keepsCache: program.cache.keep,
    })
    this.sockets = new WebSockets()
  }

  /** @throws UserEnded when a variable has no more values */
  async beginIteration(index: number): Promise<void> {
    await this.breathe()
    await this.wait(this.pacedUntil - performance.now())
    this.iteration = index
    this.iterationStart = performance.now()
    if (index > 0) {
      if (this.program.cookies.clear_each_iteration) this.http.cookies?.clear()
      if (this.program.cache.clear_each_iteration) this.http.cache?.clear()
    }
    const exhausted = this.variables.beginIteration(index)
    if (exhausted !== undefined)
      throw new UserEnded(`The variable ${exhausted} has no more values, and the virtual user ends then.`)
  }

  expand(template: CompiledTemplate): string {
    return this.variables.expand(template)
  }

  /** Gives a variable a value, and writes it down. */
  set(draft: ResultDraft, variable: string, value: Value): void {
    this.variables.set(variable, value)
    draft.set(variable, value)
  }

  async runSteps(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#runStep(step)
  }

  /** Lets others have their turn now and then, and ends when the run was cancelled. */
  async breathe(): Promise<void> {
    this.plan.signal.throwIfAborted()
    if (++this.#stepsDone % stepsInARow === 0) await setImmediate()
  }

  /** @throws the signal's reason when the run is cancelled meanwhile */
  async wait(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.plan.signal })
  }

  close(): void {
    this.sockets.closeAll()
    this.http.close()
  }

  async #runStep(step: Step): Promise<void> {
    await this.breathe()
    const { id, type, name, path } = step
    if (!step.isEnabled) return await this.#skip(step)
    this.#observer.started?.({ iteration: this.iteration, actionId: id, type, name, path })
    const draft = new ResultDraft()
    const startedAt = new Date().toISOString()
    const started = performance.now()
    try {
      await step.run(this, draft)
    } catch (error) {
      if (this.plan.signal.aborted || error instanceof UserEnded) throw error
      if (!(error instanceof ActionFailure)) throw error
      draft.fail(error.message)
    }
    const durationMs = performance.now() - started
    const outcome = draft.failure === null ? 'passed' : 'failed'
    if (!step.isAround) this[outcome]++
    await this.#tell(step, draft, outcome, startedAt, durationMs)
  }

  async #skip(step: Step): Promise<void> {
    if (this.#skipped.has(step.id)) return
    this.#skipped.add(step.id)
    const draft = new ResultDraft()
    draft.say(step.disabledReason ?? 'It is disabled.')
    await this.#tell(step, draft, 'skipped', new Date().toISOString(), 0)
  }

  async #tell(
    { id, type, name, path }: Step,
    draft: ResultDraft,
    outcome: 'passed' | 'failed' | 'skipped',
    startedAt: string,
    durationMs: number,
  ): Promise<void> {
    const { iteration } = this
    const of = {
      sequence: this.#sequence++,
      iteration,
      actionId: id,
      type,
      name,
      path,
      startedAt,
      durationMs,
      outcome,
    }
    await this.#observer.finished(draft.result(of, (text) => this.redactor.redact(text)))
  }
}
