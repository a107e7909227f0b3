import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** How long a process has to end when it is told to. */
const patienceMs = 4_000

/**
 * The shell becomes the program, after it started one that waits for the end of a pipe, which is that of the agent however it ends,
 * and then kills the group.
 */
const guarded = `(trap '' INT TERM HUP; read -r _ <&3; kill -KILL -$$) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-`

/** How a process ended. */
export interface EndedProcess {
  /** Null: it was killed. */
  exitCode: number | null
  /** It was told to end from here. */
  wasStopped: boolean
}

/**
 * A program with all that it starts, in a process group of its own: it is ended as a whole, and ends when this process does.
 */
export class SupervisedProcess {
  /** When it and all that it started have ended. Rejects when it could not be started. */
  readonly done: Promise<EndedProcess>
  readonly stdout: Readable
  readonly stderr: Readable
  readonly #child: ChildProcess
  #wasStopped = false

  constructor(
    program: string,
    args: readonly string[],
    { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
  ) {
    const child = spawn('/bin/sh', ['-c', guarded, 'sh', program, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    this.#child = child
    const { stdout, stderr } = child
    if (stdout === null || stderr === null) throw new TypeError('It has no pipes')
    this.stdout = stdout
    this.stderr = stderr
    this.done = this.#end()
    // Whoever waits for it hears of it.
    this.done.catch(() => {})
  }

  /** Tells it to end, and kills it a few seconds later. */
  stop(): void {
    if (this.#wasStopped) return
    this.#wasStopped = true
    this.#signal('SIGTERM')
    const timer = setTimeout(() => this.#signal('SIGKILL'), patienceMs)
    this.done.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    )
  }

  /** At once. */
  kill(): void {
    this.#signal('SIGKILL')
  }

  async #end(): Promise<EndedProcess> {
    const [exitCode] = await once(this.#child, 'exit')
    // What it left behind, and who waits for our end.
    this.#signal('SIGKILL')
    return { exitCode, wasStopped: this.#wasStopped }
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch (error) {
      // All of the group have ended.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
