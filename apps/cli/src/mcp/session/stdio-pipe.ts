import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import type { StdioTarget } from '../target/mcp-target.ts'
import { PendingCalls } from './pending-calls.ts'
import { answeredId, isObject, readMessage } from './read-message.ts'
import {
  firstId,
  preparedMessage,
  type CallTrace,
  type McpWire,
  type PreparedRequest,
  type WireAnswer,
} from './wire.ts'

/** Of what the server wrote to stderr last, to say why it ended. */
const lastWordsMax = 2000
/** For which a server may end by itself, then on SIGTERM. */
const graceMs = 2000
const newline = 10

interface StdioOptions {
  /** Of this process. */
  env: Readonly<Record<string, string | undefined>>
  /** Of a call. */
  timeoutMs: number
  /** Hears what it writes to stderr. */
  hear?: ((text: string) => void) | undefined
}

/**
 * A server that we start, over its standard streams. The SDK opens the session over it as over any transport; calls that are
 * measured go past the SDK, with ids of their own.
 */
export class StdioPipe implements Transport, McpWire {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Params `_meta` of the SDK's own requests, which ours have too. */
  meta: Readonly<Record<string, unknown>> | null = null
  /** From the start until the system runs the program. */
  processStartMs: number | null = null
  readonly #target: StdioTarget
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #hear: ((text: string) => void) | undefined
  readonly #calls: PendingCalls
  #child: ChildProcess | undefined
  /** By id, of calls that are traced. */
  readonly #traces = new Map<number, CallTrace>()
  #nextId = firstId
  #pieces: Buffer[] = []
  /** The line of which there are pieces. */
  #lineBeganAtMs = 0
  #lastWords = ''
  #hasEnded = false

  constructor(target: StdioTarget, { env, timeoutMs, hear }: StdioOptions) {
    this.#target = target
    this.#env = env
    this.#hear = hear
    this.#calls = new PendingCalls(timeoutMs)
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** What it said last on stderr, and how it ended. */
  get lastWords(): string {
    return this.#lastWords.trim()
  }

  async start(): Promise<void> {
    const [program, ...args] = this.#target.command
    const begun = performance.now()
    const child = spawn(program, args, {
      cwd: this.#target.cwd,
      env: { ...this.#env, ...this.#target.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that what it started can be ended with it.
      detached: process.platform !== 'win32',
    })
    this.#child = child
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    this.processStartMs = performance.now() - begun
    child.stdout.on('data', (bytes: Buffer) => this.#read(bytes))
    child.stderr.on('data', (bytes: Buffer) => {
      const text = bytes.toString()
      this.#lastWords = (this.#lastWords + text).slice(-lastWordsMax)
      this.#hear?.(text)
    })
    // It may end while we write.
    child.stdin.on('error', () => undefined)
    child.on('error', (error) => this.onerror?.(error))
    child.on('close', (code, signal) => {
      this.#hasEnded = true
      // Who was there to help it has nobody left.
      endGroup(child, 'SIGTERM')
      this.#calls.failAll({
        kind: 'ended',
        code: null,
        message: `The server ended with ${signal ?? `code ${code ?? 'unknown'}`}. ${this.lastWords}`.trim(),
      })
      this.onclose?.()
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && isObject(message.params)) {
      const meta = message.params['_meta']
      if (isObject(meta) && 'id' in message) this.meta = withoutProgress(meta)
    }
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`)
    return Promise.resolve()
  }

  prepare(method: string, params: Readonly<Record<string, unknown>> | undefined): PreparedRequest {
    return { ...preparedMessage(method, params, this), head: '' }
  }

  call({ prefix, suffix, bytes }: PreparedRequest, trace?: CallTrace): Promise<WireAnswer> {
    const id = this.#nextId++
    const answer = this.#calls.begin(id, bytes + String(id).length)
    if (this.#hasEnded) {
      this.#calls.fail(id, {
        kind: 'ended',
        code: null,
        message: `The server has ended. ${this.lastWords}`.trim(),
      })
    } else {
      this.#child?.stdin?.write(
        `${prefix}${id}${suffix}\n`,
        trace && (() => (trace.writtenAtMs = performance.now())),
      )
      if (trace) this.#traces.set(id, trace)
    }
    return answer
  }

  open(): Promise<void> {
    return Promise.resolve()
  }

  /** Ends the server too: its standard input is closed, and who stays is ended by signals. */
  async close(): Promise<void> {
    this.#calls.close()
    const child = this.#child
    if (child === undefined || this.#hasEnded) return
    const ended = new Promise<void>((resolve) => {
      child.once('close', () => resolve())
    })
    child.stdin?.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await Promise.race([ended, pause(graceMs, undefined, { ref: false })])
      if (this.#hasEnded) return
      endGroup(child, signal)
    }
    await ended
  }

  #read(bytes: Buffer): void {
    const now = performance.now()
    let start = 0
    let beganAtMs = this.#pieces.length === 0 ? now : this.#lineBeganAtMs
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      const last = bytes.subarray(start, end)
      const line = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last])
      this.#pieces = []
      start = end + 1
      if (line.length > 0) this.#readLine(line, beganAtMs, now)
      beganAtMs = now
    }
    if (start < bytes.length) this.#pieces.push(bytes.subarray(start))
    this.#lineBeganAtMs = beganAtMs
  }

  #readLine(line: Buffer, beganAtMs: number, endedAtMs: number): void {
    let message: unknown
    try {
      message = JSON.parse(line.toString())
    } catch {
      // Some servers write other things to it; the protocol forbids it, and clients pass over it.
      this.onerror?.(new SyntaxError('The server wrote a line that is no JSON.'))
      return
    }
    if (!isObject(message)) return
    const id = answeredId(message)
    if (id !== undefined && this.#calls.has(id)) {
      const trace = this.#traces.get(id)
      if (trace) trace.firstByteAtMs = beganAtMs
      this.#traces.delete(id)
      this.#calls.end(id, {
        endedAtMs,
        firstEventAtMs: null,
        resultBytes: line.length,
        ...readMessage(message),
      })
      return
    }
    try {
      this.onmessage?.(deserializeMessage(line.toString()))
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error('The server sent a message that is none.'))
    }
  }
}

/** A request's own, and no part of what all have. */
export function withoutProgress(meta: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const { progressToken: _own, ...rest } = meta
  return Object.keys(rest).length === 0 ? null : rest
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // It has ended meanwhile.
  }
}
