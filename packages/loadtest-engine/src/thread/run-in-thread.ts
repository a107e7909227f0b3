import { Worker } from 'node:worker_threads'
import { Redactor } from '../redactor.ts'
import type { ActionResult, Observer, StartedAction, UserOutcome, UserPlan } from '../ports.ts'
import { Conversation } from './conversation.ts'
import type { ThreadMessage, ThreadPlan } from './messages.ts'

export interface ThreadOptions {
  /** An action may hold up the thread so long, in milliseconds; then it is ended. */
  blockedMsMax?: number
  heapMegabytes?: number
  /** It ends then, whatever it does, in milliseconds: whoever waits behind it has their turn. */
  runMsMax?: number
}

/** What is asked of the thread to end may take so long, in milliseconds. */
const abortMs = 5000

/**
 * Runs one virtual user in a thread of its own, which is ended when it hangs (a regular expression may) or wants too much memory.
 * The gate, files, pages and the observer stay in this thread.
 */
export async function runInThread(
  plan: UserPlan,
  observer: Observer,
  { blockedMsMax = 10_000, heapMegabytes = 1024, runMsMax = 3_600_000 }: ThreadOptions = {},
): Promise<UserOutcome> {
  const pulse = new Int32Array(new SharedArrayBuffer(4))
  const { document, servers, variables, secrets, iterations, seed, signal } = plan
  const hasPages = plan.pages !== undefined
  const threadPlan: ThreadPlan = { document, servers, variables, secrets, iterations, seed, hasPages, pulse }
  const worker = new Worker(new URL('thread-main.ts', import.meta.url), {
    workerData: threadPlan,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  const counts = new Counts()
  const { promise, resolve, reject } = Promise.withResolvers<UserOutcome>()
  const conversation = new Conversation((message) => worker.postMessage(message, []), {
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
    await worker.terminate()
    if (current !== undefined) {
      const failure = new Redactor(secrets.values()).redact(words)
      const result = counts.unfinished(current, failure)
      counts.finished(result)
      await observer.finished(result)
    }
    resolve({ ...counts.outcome(), ended: words })
  }
  const giveUpOrReject = (words: string) => giveUp(words).catch(reject)

  worker.on('message', (message: ThreadMessage) => {
    if (message.type === 'started') {
      counts.started(message.action)
      observer.started?.(message.action)
    } else if (message.type === 'ended') resolve(message.outcome)
    else conversation.take(message)
  })
  worker.once('error', (error) => {
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      void giveUpOrReject(`It needed more than ${heapMegabytes} MB of memory, and was ended.`)
    else reject(error)
  })
  worker.once('exit', () => {
    if (!isGivenUp) reject(new Error('The thread of a virtual user ended before the virtual user did.'))
  })

  const stopWatching = watch(pulse, blockedMsMax, () => {
    void giveUpOrReject(
      `It held up everything for more than ${blockedMsMax / 1000} s, as a regular expression does that tries too many ways, and was ended.`,
    )
  })
  const runTimer = setTimeout(
    () => void giveUpOrReject(`It ran for more than ${runMsMax / 1000} s, and was ended.`),
    runMsMax,
  )
  let abortTimer: NodeJS.Timeout | undefined
  const onAbort = () => {
    worker.postMessage({ type: 'abort' } satisfies ThreadMessage, [])
    abortTimer = setTimeout(() => resolve({ ...counts.outcome(), ended: 'It was cancelled.' }), abortMs)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await promise
  } finally {
    stopWatching()
    clearTimeout(runTimer)
    clearTimeout(abortTimer)
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

/** Calls back once, when the pulse stands still for too long. */
function watch(pulse: Int32Array, blockedMsMax: number, onBlocked: () => void): () => void {
  let last = Atomics.load(pulse, 0)
  let since = performance.now()
  const timer = setInterval(
    () => {
      const now = Atomics.load(pulse, 0)
      // It beats only once it has started.
      if (now !== last || now === 0) {
        last = now
        since = performance.now()
      } else if (performance.now() - since > blockedMsMax) {
        clearInterval(timer)
        onBlocked()
      }
    },
    Math.min(500, blockedMsMax / 4),
  )
  return () => clearInterval(timer)
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
