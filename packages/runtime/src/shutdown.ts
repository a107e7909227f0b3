import type { Logger } from './logger.ts'

export interface ShutdownStep {
  name: string
  run: () => Promise<unknown> | void
}

export interface ShutdownOptions {
  log: Logger
  /**
   * In order: turn `/readyz` red, stop accepting and finish requests, close workers, then stores. Each is taken out when it is its
   * turn, so that what a start still puts in front meanwhile is stopped, too.
   */
  steps: ShutdownStep[]
  /** All steps together; what is not done by then is left behind. */
  deadlineMs?: number
  /** The process, or something that behaves like it in tests. */
  process?: ShutdownProcess
}

export interface ShutdownProcess {
  on(event: string, listener: (...args: unknown[]) => void): unknown
  exit(code: number): void
}

export interface Shutdown {
  /** Aborted when it begins to stop: whatever is starting should not go on. */
  signal: AbortSignal
  /**
   * Runs the steps and exits. Signals call it with code 0; call it yourself when something failed for good.
   * Calling it again changes nothing.
   */
  stop(reason: string, exitCode?: number): Promise<void>
}

/**
 * Ends the process tidily on SIGINT and SIGTERM, and untidily on a second one. Exit code 0 when every step was done
 * in time, 1 when not or when the process was broken (an uncaught error), 128 + signal when the second signal came.
 */
export function installShutdown(options: ShutdownOptions): Shutdown {
  const host = options.process ?? process
  const { log } = options
  const begun = new AbortController()
  let stopping: Promise<void> | undefined

  const stop = (reason: string, exitCode = 0) => {
    begun.abort()
    stopping ??= runSteps(options, reason).then((isClean) => host.exit(isClean ? exitCode : 1))
    return stopping
  }

  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    host.on(signal, () => {
      if (stopping) {
        log.warn({ signal }, 'second signal: leaving at once')
        host.exit(128 + number)
        return
      }
      void stop(signal)
    })
  }
  // After either of these nobody knows what state we are in: say so, put things away, and let a supervisor restart us.
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    host.on(event, (error) => {
      log.fatal({ err: error }, event)
      void stop(event, 1)
    })
  }
  return { signal: begun.signal, stop }
}

/** True when all steps were done without an error and in time. */
async function runSteps(options: ShutdownOptions, reason: string): Promise<boolean> {
  const { log, steps } = options
  const deadlineMs = options.deadlineMs ?? 15_000
  const startedAt = performance.now()
  log.info({ reason }, 'stopping')
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), deadlineMs)
  // One after the other. A late or broken step does not keep the next from starting: closing a database is worth a try.
  let isClean = true
  for (let step = steps.shift(); step !== undefined; step = steps.shift())
    // oxlint-disable-next-line no-await-in-loop -- one needs what the next one stops
    isClean = (await runStep(step, deadline.signal, log)) && isClean
  clearTimeout(timer)
  log.info({ ms: Math.round(performance.now() - startedAt) }, 'stopped')
  return isClean
}

async function runStep(step: ShutdownStep, deadline: AbortSignal, log: Logger): Promise<boolean> {
  const isLate = new Promise<'late'>((resolve) => {
    if (deadline.aborted) setImmediate(resolve, 'late')
    else deadline.addEventListener('abort', () => resolve('late'), { once: true })
  })
  try {
    if ((await Promise.race([step.run(), isLate])) !== 'late') return true
    log.error({ step: step.name }, 'not done by the deadline')
  } catch (error) {
    log.error({ err: error, step: step.name }, 'could not be closed')
  }
  return false
}
