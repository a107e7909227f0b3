import { fork } from 'node:child_process'
import { Redactor } from '@flamegate/loadtest/running'
import type { ActionResult, Observer, StartedAction, UserOutcome, UserPlan } from '../ports.ts'
import { childEnvironment, ended, lastWords, whenGone } from './child.ts'
import { Conversation } from './conversation.ts'
import type { ProcessMessage, ProcessPlan } from './messages.ts'

export interface ProcessOptions {
  /** An action may hold up the process so long, in milliseconds; then it is ended. */
  blockedMsMax?: number
  heapMegabytes?: number
  /** It ends then, whatever it does, in milliseconds: whoever waits behind it has their turn. */
  runMsMax?: number
}

/** What is asked of the process to end may take so long, in milliseconds. */
const abortMs = 5000

/**
 * Runs one virtual user in a process of its own, which is ended when it hangs (a regular expression may). When it wants too much
 * memory V8 ends it; it would end us, too, were it a thread: what it cannot give at once, it does not wait for. The gate,
 * files, pages and the observer stay in this process.
 */
export async function runInProcess(
  plan: UserPlan,
  observer: Observer,
  { blockedMsMax = 10_000, heapMegabytes = 1024, runMsMax = 3_600_000 }: ProcessOptions = {},
): Promise<UserOutcome> {
  const { document, servers, variables, secrets, iterations, seed, signal } = plan
  const hasPages = plan.pages !== undefined
  const processPlan: ProcessPlan = { document, servers, variables, secrets, iterations, seed, hasPages }
  const child = fork(new URL('process-main.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    env: childEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const say = (message: object): void => {
    // One that is gone tells so by itself.
    if (child.connected) child.send(message, () => undefined)
  }
  const said = lastWords(child)
  say({ type: 'plan', plan: processPlan } satisfies ProcessMessage)
  const counts = new Counts()
  const { promise, resolve, reject } = Promise.withResolvers<UserOutcome>()
  const conversation = new Conversation(say, {
    resolve: ({ host, port }) => plan.gate.resolve(host, port),
    openFile: ({ path }) => plan.openFile(path),
    finished: async ({ result }) => {
      counts.finished(result)
      await observer.finished(result)
      return null
    },
    page: async ({ page, action, serverIds, iteration, forgets, usesSecrets }) => {
      if (plan.pages === undefined) throw new TypeError('There is no page runner.')
      return await plan.pages.run(action, {
        servers: new Map([...servers].filter(([id]) => serverIds.includes(id))),
        gate: plan.gate,
        openFile: plan.openFile,
        signal,
        iteration,
        forgets,
        usesSecrets,
        expand: (template) => conversation.ask('expand', { page, template }),
        set: async (variable, value) => {
          await conversation.ask('set', { page, variable, value })
        },
      })
    },
  })
  let isGivenUp = false
  const giveUp = async (words: string) => {
    isGivenUp = true
    const { current } = counts
    await ended(child)
    if (current !== undefined) {
      const failure = new Redactor(secrets.values()).redact(words)
      const result = counts.unfinished(current, failure)
      counts.finished(result)
      await observer.finished(result)
    }
    resolve({ ...counts.outcome(), ended: words })
  }
  const giveUpOrReject = (words: string) => giveUp(words).catch(reject)

  const watch = new Watch(blockedMsMax, () => {
    void giveUpOrReject(
      `It held up everything for more than ${blockedMsMax / 1000} s, as a regular expression does that tries too many ways, and was ended.`,
    )
  })
  child.on('message', (message: ProcessMessage) => {
    watch.beat()
    if (message.type === 'started') {
      counts.started(message.action)
      observer.started?.(message.action)
    } else if (message.type === 'ended') resolve(message.outcome)
    else if (message.type !== 'pulse') conversation.take(message)
  })
  child.once('error', reject)
  whenGone(child, (code, killedBy) => {
    if (isGivenUp) return
    // V8 aborts without memory, and the system kills without it.
    if (killedBy !== null)
      void giveUpOrReject(`It needed more than ${heapMegabytes} MB of memory, and was ended.`)
    else {
      const words = new Redactor(secrets.values()).redact(said())
      reject(
        new Error(
          `The process of a virtual user ended with code ${code} before the virtual user did. ${words}`,
        ),
      )
    }
  })
  const runTimer = setTimeout(
    () => void giveUpOrReject(`It ran for more than ${runMsMax / 1000} s, and was ended.`),
    runMsMax,
  )
  let abortTimer: NodeJS.Timeout | undefined
  const onAbort = () => {
    say({ type: 'abort' } satisfies ProcessMessage)
    abortTimer = setTimeout(() => resolve({ ...counts.outcome(), ended: 'It was cancelled.' }), abortMs)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await promise
  } finally {
    isGivenUp = true
    watch.stop()
    clearTimeout(runTimer)
    clearTimeout(abortTimer)
    signal.removeEventListener('abort', onAbort)
    await ended(child)
  }
}

/**
 * Calls back once, when nothing was heard for too long since it was heard first. That time is counted in ticks of this
 * process, and not read off a clock: one that was held up itself has a tick for that, and then hears what was said meanwhile.
 */
class Watch {
  #silentTicks = -Infinity
  readonly #timer: NodeJS.Timeout

  constructor(blockedMsMax: number, onBlocked: () => void) {
    const tickMs = Math.min(500, blockedMsMax / 4)
    this.#timer = setInterval(() => {
      this.#silentTicks++
      if (this.#silentTicks * tickMs <= blockedMsMax) return
      this.stop()
      onBlocked()
    }, tickMs)
  }

  beat(): void {
    this.#silentTicks = 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** How far a run got, for one that cannot tell it itself any more. */
class Counts {
  /** What was begun last and has nothing inside it that ended since. */
  current: StartedAction | undefined
  #startedAt = ''
  #started = 0
  #iterations = 0
  #passed = 0
  #failed = 0
  #sequence = 0
  readonly #around = new Set<string>()

  started(action: StartedAction): void {
    this.current = action
    this.#startedAt = new Date().toISOString()
    this.#started = performance.now()
    this.#iterations = action.iteration + 1
    for (const id of action.path) this.#around.add(id)
  }

  finished(result: ActionResult): void {
    if (this.current?.actionId === result.actionId) this.current = undefined
    this.#sequence = result.sequence + 1
    if (result.outcome === 'skipped' || this.#around.has(result.actionId)) return
    if (result.outcome === 'passed') this.#passed++
    else this.#failed++
  }

  unfinished({ iteration, actionId, type, name, path }: StartedAction, failure: string): ActionResult {
    return {
      sequence: this.#sequence,
      iteration,
      actionId,
      type,
      name,
      path,
      outcome: 'failed',
      startedAt: this.#startedAt,
      durationMs: performance.now() - this.#started,
      status: null,
      sentBytes: 0,
      receivedBytes: 0,
      assertions: [],
      extractors: [],
      variables: {},
      failure,
      messages: [],
      exchanges: [],
      screenshot: null,
      trace: null,
    }
  }

  outcome(): Omit<UserOutcome, 'ended'> {
    return { iterations: this.#iterations, passed: this.#passed, failed: this.#failed }
  }
}
