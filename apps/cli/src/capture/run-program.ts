import { spawn, type StdioOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { constants } from 'node:os'
import { signalOf } from '../harness/interruption.ts'
import { CaptureFailed, type CapturePlace } from './capture-request.ts'

/** How long a program has after SIGINT, and then after SIGTERM. */
const patienceMs = 10_000
const keptMax = 16_384
/** One that has not begun by then does not tell of it: its time is counted all the same. */
const beginsWithinMs = 10_000
const looksEveryMs = 20

export interface RanProgram {
  /** 128 and the number of the signal for one that was killed. */
  exitCode: number
  /** What it printed, where that was kept: the end of it. */
  said: string
  /** It was ended from here, by time or by interruption. */
  wasEnded: boolean
}

interface RunOptions {
  /** Passed on as the user's own command, kept to tell of it, or stdout into a file. */
  prints: 'passed-on' | 'kept' | { file: string }
  /** Ends it with SIGINT then, as by Ctrl-C, on which profilers write what they have. */
  seconds?: number | undefined
  /** A file that is there from when the program is profiled: `seconds` are counted from then, and not from when it is started. */
  begunFile?: string
  /** What to do where the program is not installed. */
  ifMissing: string
  env?: Readonly<Record<string, string>>
}

/**
 * Runs a program that profiles, or is profiled, until it ends, its time is over, or somebody interrupts. One that does not
 * end on SIGINT is terminated, and at last killed.
 * @throws CaptureFailed when it cannot be started
 */
export async function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  place: CapturePlace,
  options: RunOptions,
): Promise<RanProgram> {
  const { prints } = options
  const file = typeof prints === 'object' ? await open(prints.file, 'w') : undefined
  const stdio: StdioOptions =
    prints === 'passed-on' ? ['inherit', 'pipe', 'inherit'] : ['ignore', file?.fd ?? 'pipe', 'pipe']
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: place.cwd, env: { ...place.env, ...options.env }, stdio })
      let said = ''
      const keep = (chunk: Buffer) => (said = (said + chunk.toString()).slice(-keptMax))
      child.stdout?.on('data', prints === 'passed-on' ? place.passOn : keep)
      child.stderr?.on('data', keep)

      const timers: NodeJS.Timeout[] = []
      let wasEnded = false
      const end = (signal: NodeJS.Signals, isSent: boolean) => {
        if (wasEnded) return
        wasEnded = true
        if (!isSent) child.kill(signal)
        timers.push(
          setTimeout(() => child.kill('SIGTERM'), patienceMs),
          setTimeout(() => child.kill('SIGKILL'), 2 * patienceMs),
        )
      }
      const { seconds, begunFile } = options
      const startedAtMs = performance.now()
      const endInTime = () => {
        const isAwaited =
          begunFile !== undefined &&
          performance.now() - startedAtMs < beginsWithinMs &&
          !existsSync(begunFile)
        timers.push(
          isAwaited
            ? setTimeout(endInTime, looksEveryMs)
            : setTimeout(() => end('SIGINT', false), (seconds ?? 0) * 1000),
        )
      }
      if (seconds !== undefined) endInTime()
      const { interruption } = place
      const interrupt = () => {
        const signal = signalOf(interruption)
        // A terminal tells all of its programs, and some do not survive being told twice.
        end(signal, place.isAtTerminal && signal === 'SIGINT')
      }
      if (interruption.aborted) interrupt()
      else interruption.addEventListener('abort', interrupt)

      const settle = () => {
        timers.forEach(clearTimeout)
        interruption.removeEventListener('abort', interrupt)
      }
      child.once('error', (cause) => {
        settle()
        const isMissing = 'code' in cause && cause.code === 'ENOENT'
        reject(
          new CaptureFailed(
            isMissing ? `${program} is not there. ${options.ifMissing}` : `${program}: ${cause.message}`,
            { cause },
          ),
        )
      })
      child.once('close', (code, signal) => {
        settle()
        resolve({
          exitCode: signal === null ? (code ?? 128) : 128 + constants.signals[signal],
          said,
          wasEnded,
        })
      })
    })
  } finally {
    await file?.close()
  }
}

/** What a program said last, as one sentence for people. */
export function lastWords({ said, exitCode }: RanProgram): string {
  const lines = said
    .split('\n')
    .map((line) => line.trim())
    // Of a Java program the first line says it, and where it stood says nothing to anybody.
    .filter((line) => line !== '' && !/^at [\w.]+/.test(line))
  return lines.length === 0 ? `It ended with ${exitCode}.` : `It said: ${lines.slice(-8).join(' / ')}`
}
