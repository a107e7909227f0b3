import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const file = join(import.meta.dirname, 'sample-server.ts')

/** The command that speaks over its standard streams. */
export const sampleCommand: readonly [string, ...string[]] = [process.execPath, file]

/** Starts the sample server over HTTP until the test is over; gives its URL, and its process. */
export async function startSampleServer(): Promise<{ url: string; pid: number }> {
  const child = spawn(process.execPath, [file, '--port'], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [line]: unknown[] = await once(child.stdout, 'data')
  if (child.pid === undefined) throw new TypeError('The server has no process')
  return { url: String(line).trim(), pid: child.pid }
}
