import type { McpOperation, McpReport } from '@flamegate/mcp-profiling'
import { z } from 'zod'
import { OperationRecord } from '../load/operation-record.ts'
import { isObject, type ReadMessage } from '../session/read-message.ts'

/** Of a report, as loads have them: what comparisons are made of. */
const blockCount = 30
/** Who makes up names does not fill the memory. */
const operationsMax = 500
const otherName = '(other)'
const initializeResult = z.object({
  protocolVersion: z.string(),
  serverInfo: z.object({ name: z.string(), version: z.string() }),
})
const namedMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get'])
const notKept = 'Not kept.'
/** What is asked and never answered is forgotten then. */
const forgottenMs = 600_000
const waitingMax = 10_000

export interface SamplingOptions {
  /** Which share of the calls is timed, 0 to 1. */
  samplingRate: number
  /** No more calls than this are recorded for one report. */
  maxSamples: number
  /** Blocks of a report part this time. */
  intervalMs: number
}

interface Waiting {
  key: string
  sentAtMs: number
  requestBytes: number
}

interface Recorded {
  method: string
  name: string | null
  record: OperationRecord
}

/** Times a share of the calls that somebody else makes, by their ids. Keeps numbers and nothing of what was said. */
export class SampledCalls {
  /** What the server said of itself, once it was asked. */
  server: McpReport['target']['server'] = null
  initializeMs: number | null = null
  readonly #options: SamplingOptions
  readonly #waiting = new Map<unknown, Waiting>()
  #recorded = new Map<string, Recorded>()
  #samples = 0
  #beganAtMs = performance.now()

  constructor(options: SamplingOptions) {
    this.#options = options
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0
  }

  get samples(): number {
    return this.#samples
  }

  /** Whether the call that begins now is timed. Each is as likely, so that what comes regularly is no other than the rest. */
  isSampled(): boolean {
    const { samplingRate, maxSamples } = this.#options
    return this.#samples < maxSamples && Math.random() < samplingRate
  }

  /** `call` is what its answer is known by: its id, where there is one client. Nothing but requests is counted. */
  began(
    call: unknown,
    message: Readonly<Record<string, unknown>>,
    { requestBytes, sentAtMs }: { requestBytes: number; sentAtMs: number },
  ): void {
    const { id, method, params } = message
    if ((typeof id !== 'string' && typeof id !== 'number') || typeof method !== 'string') return
    this.#forgetOld(sentAtMs)
    if (this.#waiting.size >= waitingMax) return
    const named = isObject(params) && namedMethods.has(method) ? params['name'] : undefined
    const key = this.#keyOf(method, typeof named === 'string' ? named.slice(0, 300) : null)
    this.#waiting.set(call, { key, sentAtMs, requestBytes })
  }

  isWaiting(call: unknown): boolean {
    return this.#waiting.has(call)
  }

  cancelled(call: unknown): void {
    this.#waiting.delete(call)
  }

  ended(
    call: unknown,
    read: ReadMessage,
    { resultBytes, endedAtMs, firstEventAtMs = null }: AnswerFacts,
  ): void {
    const waiting = this.#waiting.get(call)
    const recorded = waiting && this.#recorded.get(waiting.key)
    if (waiting === undefined || recorded === undefined) return
    this.#waiting.delete(call)
    const { sentAtMs, requestBytes } = waiting
    const block = Math.floor(((sentAtMs - this.#beganAtMs) / this.#options.intervalMs) * blockCount)
    this.#samples++
    recorded.record.add(
      {
        ...read,
        // What a server says of a failure may hold anything.
        failure: read.failure && { ...read.failure, message: notKept },
        sentAtMs,
        endedAtMs,
        firstEventAtMs,
        requestBytes,
        resultBytes,
      },
      endedAtMs - sentAtMs,
      Math.min(blockCount - 1, Math.max(0, block)),
    )
    if (recorded.method === 'initialize') this.#initialized(read.result, endedAtMs - sentAtMs)
  }

  /** What was recorded since the last time. Calls under way stay so. */
  take(): McpOperation[] {
    const operations = [...this.#recorded.values()].map((each) => each.record.toReport(each))
    this.#recorded = new Map()
    for (const call of this.#waiting.values()) {
      const [method, name]: [string, string | null] = JSON.parse(call.key)
      this.#keyOf(method, name)
    }
    this.#samples = 0
    this.#beganAtMs = performance.now()
    return operations.filter(({ calls }) => calls > 0)
  }

  #keyOf(method: string, name: string | null): string {
    const wanted = JSON.stringify([method, name])
    if (this.#recorded.has(wanted)) return wanted
    const isNew = this.#recorded.size < operationsMax
    const key = isNew ? wanted : JSON.stringify([otherName, null])
    if (!this.#recorded.has(key)) {
      const [own, ownName] = isNew ? [method, name] : [otherName, null]
      this.#recorded.set(key, { method: own, name: ownName, record: new OperationRecord(blockCount) })
    }
    return key
  }

  #initialized(result: unknown, tookMs: number): void {
    const read = initializeResult.safeParse(result)
    if (!read.success) return
    const { serverInfo, protocolVersion } = read.data
    this.initializeMs = tookMs
    this.server = { ...serverInfo, protocolVersion }
  }

  #forgetOld(nowMs: number): void {
    // In the order of sending.
    for (const [id, { sentAtMs }] of this.#waiting) {
      if (sentAtMs > nowMs - forgottenMs) return
      this.#waiting.delete(id)
    }
  }
}

interface AnswerFacts {
  resultBytes: number
  endedAtMs: number
  firstEventAtMs?: number | null
}
