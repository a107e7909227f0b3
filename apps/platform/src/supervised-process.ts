import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Logger } from '@flamegate/runtime'

const apps = resolve(import.meta.dirname, '../..')
const stopWithinMs = 12_000
const longestPauseMs = 30_000

export interface SupervisedProcess {
  /** Lets it finish what it is at, and ends it when that takes too long. */
  stop(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Runs the worker as a process of its own, so that a large or hostile upload neither keeps requests waiting nor
 * takes the server down with it. Its jobs are taken up after their lock runs out when it dies.
 */
export function startWorkerProcess(env: Environment, log: Logger): SupervisedProcess {
  return supervise({ name: 'the worker', main: `${apps}/worker/src/main.ts`, args: [], env }, log)
}

/** Runs an agent of load beside the platform, for whoever has none yet. */
export function startAgentProcess(args: readonly string[], env: Environment, log: Logger): SupervisedProcess {
  return supervise({ name: 'the agent', main: `${apps}/cli/src/main.ts`, args: ['agent', ...args], env }, log)
}

/** Starts it again when it dies, with pauses that grow. */
function supervise(
  { name, main, args, env }: { name: string; main: string; args: readonly string[]; env: Environment },
  log: Logger,
): SupervisedProcess {
  let isStopping = false
  let failures = 0
  let restart: NodeJS.Timeout | undefined
  let child = launch()

  function launch(): ChildProcess {
    const startedAt = Date.now()
    // Its own process group: Ctrl-C in a terminal goes to us alone, and we stop it after the server.
    const launched = fork(main, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true })
    launched.once('exit', (code, signal) => {
      if (isStopping) return
      // One that ran for a while before it died was no failed start.
      failures = Date.now() - startedAt > longestPauseMs ? 1 : failures + 1
      const pauseMs = Math.min(longestPauseMs, 500 * 2 ** failures)
      log.error({ code, signal, pauseMs }, `${name} ended; starting another`)
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
