import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Logger } from '@flamegate/runtime'

const workerMain = resolve(import.meta.dirname, '../../worker/src/main.ts')
const stopWithinMs = 12_000
const longestPauseMs = 30_000

export interface WorkerProcess {
  /** Lets it finish the jobs at work, and ends it when that takes too long. */
  stop(): Promise<void>
}

/**
 * Runs the worker as a process of its own, so that a large or hostile upload neither keeps requests waiting nor
 * takes the server down with it. When it dies it is started again; its jobs are taken up after their lock runs out.
 */
export function startWorkerProcess(
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
): WorkerProcess {
  let isStopping = false
  let failures = 0
  let restart: NodeJS.Timeout | undefined
  let child = launch()

  function launch(): ChildProcess {
    const startedAt = Date.now()
    // Its own process group: Ctrl-C in a terminal goes to us alone, and we stop it after the server.
    const launched = fork(workerMain, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true })
    launched.once('exit', (code, signal) => {
      if (isStopping) return
      // One that ran for a while before it died was no failed start.
      failures = Date.now() - startedAt > longestPauseMs ? 1 : failures + 1
      const pauseMs = Math.min(longestPauseMs, 500 * 2 ** failures)
      log.error({ code, signal, pauseMs }, 'the worker ended; starting another')
      restart = setTimeout(() => {
        child = launch()
      }, pauseMs)
    })
    return launched
  }

  // For exits that nobody planned.
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)

  return {
    async stop() {
      isStopping = true
      clearTimeout(restart)
      if (child.exitCode === null && child.signalCode === null) {
        const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
        clearTimeout(late)
      }
      process.off('exit', killAtExit)
    },
  }
}
