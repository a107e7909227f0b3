import { spawn } from 'node:child_process'
import { UsageError } from '../../usage-error.ts'
import { isObject, readMessage } from '../session/read-message.ts'
import type { StdioTarget } from '../target/mcp-target.ts'
import { LineTap } from './line-tap.ts'
import type { SampledCalls } from './sampled-calls.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How the server ended, which is how this process shall end. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Wrapped {
  pid: number
  /** Messages of the client so far, notifications too. */
  messages: () => number
  ended: Promise<Ended>
}

/**
 * Starts a server in place of this process: what comes in goes to it, and what it says goes out, byte for byte, as fast as it is taken.
 * Lines are only listened to, and those that are not sampled not even that. stderr is the server's own.
 * @throws UsageError when it cannot be started
 */
export async function wrapStdio(
  { command: [program, ...args], cwd, env }: StdioTarget,
  own: Readonly<Record<string, string | undefined>>,
  calls: SampledCalls,
): Promise<Wrapped> {
  const child = spawn(program, args, { cwd, env: { ...own, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => reject(new UsageError(`${program} cannot be started: ${error.message}`)))
  })
  const asked = askedTap(calls)
  const answered = answeredTap(calls)
  // Before the pipes, so that the time begins before the server hears of it.
  process.stdin.on('data', (bytes: Buffer) => asked.read(bytes))
  child.stdout.on('data', (bytes: Buffer) => answered.read(bytes))
  process.stdin.pipe(child.stdin)
  child.stdout.pipe(process.stdout, { end: false })
  // It may have ended; and where nobody listens any more, it is to notice.
  child.stdin.on('error', () => undefined)
  process.stdout.on('error', () => child.stdout.destroy())
  // A terminal sends Ctrl-C to both.
  const forward = (signal: NodeJS.Signals) => {
    if (!(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal)
  }
  for (const signal of signals) process.on(signal, forward)
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      for (const each of signals) process.off(each, forward)
      process.stdin.destroy()
      resolve({ code, signal })
    })
  })
  return { pid: child.pid ?? 0, messages: () => asked.lines, ended }
}

/** Of the client: the first line says hello, and while a call is under way it may be called off. */
function askedTap(calls: SampledCalls): LineTap<'sampled' | 'watched'> {
  let isFirst = true
  return new LineTap(
    () => {
      const isSampled = isFirst || calls.isSampled()
      isFirst = false
      return isSampled ? 'sampled' : calls.hasWaiting ? 'watched' : undefined
    },
    (line, wish, atMs) => {
      if (wish === 'watched' && !line.includes('notifications/cancelled')) return
      const message = objectOf(line)
      if (message?.['method'] === 'notifications/cancelled') {
        const { params } = message
        if (isObject(params)) calls.cancelled(params['requestId'])
      } else if (wish === 'sampled' && message !== undefined) {
        calls.began(message['id'], message, { requestBytes: Buffer.byteLength(line), sentAtMs: atMs })
      }
    },
  )
}

function answeredTap(calls: SampledCalls): LineTap<true> {
  return new LineTap(
    () => calls.hasWaiting || undefined,
    (line, _wish, endedAtMs) => {
      const message = objectOf(line)
      if (message === undefined || 'method' in message || !calls.isWaiting(message['id'])) return
      calls.ended(message['id'], readMessage(message), { resultBytes: Buffer.byteLength(line), endedAtMs })
    },
  )
}

function objectOf(line: string): Record<string, unknown> | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isObject(message) ? message : undefined
  } catch {
    return undefined
  }
}
