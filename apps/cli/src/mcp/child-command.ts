import { spawn } from 'node:child_process'
import path from 'node:path'
import { z } from 'zod'

/** What a command of `mcp-profiler` came to that ran as a process of its own. */
export interface ChildOutcome {
  /** 0 fine, 1 the check failed, 2 wrong use or nothing could be measured. */
  exitCode: number
  /** What it printed. */
  out: string
  /** Notes and refusals, as people at a terminal see them. */
  said: string
}

export interface ChildOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Ends it early. */
  signal: AbortSignal
  onProgress: (text: string) => void
}

const program = path.join(import.meta.dirname, '..', 'mcp-profiler.ts')
/** For ending the server that it measures, and bringing what there is. */
const graceMs = 15_000

const progressMessage = z.object({ progress: z.string() })

/** Runs `mcp-profiler <args>` as a process of its own, so that nothing but the measurement is measured. */
export function runChildCommand(
  args: readonly string[],
  { cwd, env, signal, onProgress }: ChildOptions,
): Promise<ChildOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const out: Buffer[] = []
    const said: Buffer[] = []
    child.stdout?.on('data', (bytes: Buffer) => void out.push(bytes))
    child.stderr?.on('data', (bytes: Buffer) => {
      said.push(bytes)
      // It may ask to log in, which cannot wait for the end.
      const words = bytes.toString().trim()
      if (words !== '') onProgress(words)
    })
    child.on('message', (message) => {
      const read = progressMessage.safeParse(message)
      if (read.success) onProgress(read.data.progress)
    })
    let killing: NodeJS.Timeout | undefined
    const end = () => {
      child.kill('SIGTERM')
      killing = setTimeout(() => child.kill('SIGKILL'), graceMs)
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    const settle = () => {
      clearTimeout(killing)
      signal.removeEventListener('abort', end)
    }
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('close', (code) => {
      settle()
      // Without a code it was ended by a signal.
      resolve({
        exitCode: code ?? 2,
        out: Buffer.concat(out).toString(),
        said: Buffer.concat(said).toString().trim(),
      })
    })
  })
}
