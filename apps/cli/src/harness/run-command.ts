import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { UsageError } from '../usage-error.ts'
import { signalOf } from './interruption.ts'

/** What came of a command. */
export interface RanCommand {
  /** 128 and the number of the signal for one that was killed, as shells have it. */
  exitCode: number
  /** All it printed to stdout, as far as an upload may go. */
  stdout: Buffer
}

const keptBytesMax = 64 * 1024 * 1024

/**
 * Runs a command as if it had been started itself: it has stdin and stderr, and its stdout is passed on as it comes.
 * @throws UsageError for a program that is not there
 */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  options: {
    cwd: string
    env: Readonly<Record<string, string | undefined>>
    passOn: (bytes: Uint8Array) => void
    /** Ends it, by the signal that is the reason. */
    interruption: AbortSignal
  },
): Promise<RanCommand> {
  const { promise, resolve, reject } = Promise.withResolvers<RanCommand>()
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  const kept: Buffer[] = []
  let keptBytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    options.passOn(chunk)
    keptBytes += chunk.length
    if (keptBytes <= keptBytesMax) kept.push(chunk)
  })
  const { interruption } = options
  const end = () => child.kill(signalOf(interruption))
  if (interruption.aborted) end()
  else interruption.addEventListener('abort', end)
  child.once('error', (cause) => {
    reject(new UsageError(`${program} cannot be started: ${cause.message}`))
  })
  child.once('close', (code, signal) => {
    interruption.removeEventListener('abort', end)
    const endedBy = interruption.aborted ? signalOf(interruption) : signal
    resolve({
      // One that was interrupted did not do its work, whatever it says.
      exitCode: endedBy === null ? (code ?? 128) : 128 + constants.signals[endedBy],
      stdout: Buffer.concat(kept),
    })
  })
  return promise
}
