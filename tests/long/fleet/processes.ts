import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** On a machine that has much else to do. */
const readyWithinMs = 240_000
const root = join(import.meta.dirname, '../../..')

/** A process of ours that listens on a port of loopback. */
export interface Server {
  url: string
  port: number
  child: ChildProcess
}

/** Where what a process says goes: to our own output, or to an open file. */
export type Output = 'inherit' | number

/** Starts a server, and waits until it is ready. */
export async function startServer(
  file: string,
  settings: Record<string, string>,
  port: number,
  output: Output = 'inherit',
): Promise<Server> {
  const child = startProcess(file, { ...settings, FLAMEGATE_PORT: String(port) }, output)
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + readyWithinMs
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`${file} is not ready after ${readyWithinMs / 1000} s`)
    }
    await pause(100)
  }
  return { url, port, child }
}

/** Starts a program of this checkout, with nothing of our own settings. */
export function startProcess(
  file: string,
  settings: Record<string, string>,
  output: Output = 'inherit',
): ChildProcess {
  return spawn(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', output, output],
  })
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false
  }
}

/** Sends a signal, and waits for the end; one that has ended is left alone. */
export async function end({ child }: Pick<Server, 'child'>, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
