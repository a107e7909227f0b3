import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Redactor } from '@flamegate/loadtest/running'
import { ActionFailure, UserEnded } from '../action-failure.ts'
import { Authorization } from '../http/authorization.ts'
import { HttpClient } from '../http/http-client.ts'
import { Line } from '../http/line.ts'
import type { Way } from '../http/way.ts'
import type { Observer, UserPlan } from '../ports.ts'
import { Random } from '../random.ts'
import type { ExtractContext } from '../response/extract.ts'
import type { Received } from '../response/received.ts'
import { UserVariables } from '../variables/user-variables.ts'
import type { VariablePool } from '../variables/variable-pool.ts'
import { WebSockets } from '../websocket/web-sockets.ts'
import type { CompiledTemplate, Value } from './compiled-template.ts'
import type { Program } from './compile.ts'
import { ResultDraft } from './result-draft.ts'
import { failureInside } from '../steps/containers.ts'
import type { Open, Step, Told } from './step.ts'

/** Steps after which others get their turn, also where none of them waits for anything. */
const stepsInARow = 500

/** One virtual user while it runs. */
export class User {
  readonly plan: UserPlan
  readonly program: Program
  readonly random: Random
  readonly variables: UserVariables
  readonly redactor: Redactor
  /** The text that a template stands for now. Throws an ActionFailure naming the variable that has no value. */
  readonly expand: (template: CompiledTemplate) => string
  /** The answer that scripts see. */
  lastReceived: Received | null = null
  iteration = 0
  /** As performance.now() tells it. */
  iterationStart = 0
  passed = 0
  failed = 0
  /** Moment before which the next iteration may not begin, as performance.now() tells it. */
  pacedUntil = 0
  #http: HttpClient | undefined
  #authorization: Authorization | undefined
  #sockets: WebSockets | undefined
  #way: Way | undefined
  #extractContext: ExtractContext | undefined
  /** To be called by whatever holds up the thread and knows that it does. */
  readonly pulse: () => void
  readonly #observer: Observer
  #skipped: Set<string> | undefined
  #sequence = 0
  #stepsDone = 0

  constructor(
    program: Program,
    pool: VariablePool,
    plan: UserPlan,
    observer: Observer,
    pulse: () => void,
    redactor = new Redactor(plan.secrets.values()),
    seed = plan.seed,
  ) {
    this.pulse = pulse
    this.program = program
    this.plan = plan
    this.#observer = observer
    this.random = new Random(seed)
    this.redactor = redactor
    this.variables = new UserVariables(pool, plan.secrets, this.random)
    this.expand = (template) => this.variables.expand(template)
  }

  /** @throws UserEnded when a variable has no more values */
  async beginIteration(index: number): Promise<void> {
    await this.breathe()
    await this.wait(this.pacedUntil - performance.now())
    this.enterIteration(index, performance.now())
  }

  /** @throws UserEnded when a variable has no more values */
  enterIteration(index: number, now: number): void {
    this.iteration = index
    this.iterationStart = now
    if (index > 0) {
      if (this.program.cookies.clear_each_iteration) this.#http?.cookies?.clear()
      if (this.program.cache.clear_each_iteration) this.#http?.cache?.clear()
    }
    const exhausted = this.variables.beginIteration(index)
    if (exhausted !== undefined)
      throw new UserEnded(
        exhausted.variable,
        `The variable ${exhausted.names[0] ?? exhausted.variable} has no more values, and the virtual user ends then.`,
      )
  }

  /** The next iteration begins no earlier. `at` as performance.now() tells it. */
  holdUntil(at: number): void {
    this.pacedUntil = Math.max(this.pacedUntil, at)
  }

  /** Undefined until something needed it: most users of a load never do. */
  get httpIfUsed(): HttpClient | undefined {
    return this.#http
  }

  get http(): HttpClient {
    return (this.#http ??= new HttpClient({
      gate: this.plan.gate,
      signal: this.plan.signal,
      way: this.way,
      redactor: this.redactor,
      userAgent: this.program.userAgent,
      keepsCookies: this.program.cookies.keep,
      keepsCache: this.program.cache.keep,
    }))
  }

  /** To all servers: of requests, and of WebSockets. */
  get way(): Way {
    const { network, makeProxy } = this.program
    return (this.#way ??= {
      line: network === null ? null : new Line(network),
      proxy: () => makeProxy?.(this.expand) ?? null,
    })
  }

  get authorization(): Authorization {
    return (this.#authorization ??= new Authorization())
  }

  get sockets(): WebSockets {
    return (this.#sockets ??= new WebSockets())
  }

  get extractContext(): ExtractContext {
    return (this.#extractContext ??= {
      random: this.random,
      expand: this.expand,
      cookie: (name, url) => this.http.cookies?.value(name, url),
    })
  }

  /** Gives a variable a value, and writes it down. */
  set(told: Pick<Told, 'set'>, variable: string, value: Value): void {
    this.variables.set(variable, value)
    told.set(variable, value)
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
    this.#sockets?.closeAll()
    this.#http?.close()
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
      if (step.does.kind === 'wait') await this.wait(step.does.waitMs(this))
      else if (step.does.kind === 'act') await step.does.run(this, draft)
      else if (step.does.kind === 'now') step.does.run(this, draft)
      else await this.#runAround(step.does.open, draft)
    } catch (error) {
      if (this.plan.signal.aborted || error instanceof UserEnded) throw error
      if (!(error instanceof ActionFailure)) throw error
      draft.fail(error.message, 'other')
      // By itself: what fails inside is counted there.
      if (step.does.kind === 'around') this.failed++
    }
    const durationMs = performance.now() - started
    const outcome = draft.failure === null ? 'passed' : 'failed'
    if (step.does.kind !== 'around') this[outcome]++
    await this.#tell(step, draft, outcome, startedAt, durationMs)
  }

  /** What fails inside an action makes it fail, too. */
  async #runAround(open: Open, draft: ResultDraft): Promise<void> {
    const { passed, failed } = this
    const next = open(this, draft)
    for (let steps = next(); steps !== undefined; steps = next()) {
      await this.breathe()
      await this.runSteps(steps)
    }
    const failure = failureInside(this.failed - failed, this.passed - passed)
    if (failure !== null) draft.fail(failure, 'other')
  }

  async #skip(step: Step): Promise<void> {
    this.#skipped ??= new Set()
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
