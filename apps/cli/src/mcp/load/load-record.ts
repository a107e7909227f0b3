import type { McpOperation, McpReport } from '@flamegate/mcp-profiling'
import type { WireAnswer } from '../session/wire.ts'
import { isAnswer, OperationRecord } from './operation-record.ts'
import type { PlannedOperation } from './planned-operation.ts'

/** What came of all calls of a load. */
export class LoadRecord {
  readonly beganAtMs = performance.now()
  started = 0
  /** Calls that came to an answer, right or wrong. */
  ended = 0
  /** Of which as many before the load was over. */
  endedInTime = 0
  failed = 0
  readonly #operations: readonly PlannedOperation[]
  readonly #blocks: number
  readonly #records: readonly OperationRecord[]
  readonly #perSecond: number[] = []
  /** When no more calls begin; undefined while that is not known. */
  #overAtMs: number | undefined

  constructor(operations: readonly PlannedOperation[], blocks: number) {
    this.#operations = operations
    this.#blocks = blocks
    this.#records = operations.map(() => new OperationRecord(blocks))
  }

  /** `progress` is how much of the load was over when the call began, 0 to 1. */
  add(operation: number, answer: WireAnswer, intendedAtMs: number, progress: number): void {
    const { endedAtMs, failure } = answer
    const block = Math.min(this.#blocks - 1, Math.floor(progress * this.#blocks))
    this.#records[operation]?.add(answer, endedAtMs - intendedAtMs, block)
    if (failure !== null) this.failed++
    if (failure !== null && !isAnswer(failure)) return
    this.ended++
    if (this.#overAtMs !== undefined && endedAtMs > this.#overAtMs) return
    this.endedInTime++
    const second = Math.floor((endedAtMs - this.beganAtMs) / 1000)
    this.#perSecond[second] = (this.#perSecond[second] ?? 0) + 1
  }

  /** No more calls begin. Those under way are still counted, but not to the rate. */
  isOver(atMs: number): void {
    this.#overAtMs = atMs
  }

  operations(): McpOperation[] {
    return this.#operations.map((operation, index) => {
      const record = this.#records[index]
      if (record === undefined) throw new RangeError('Each operation has a record')
      return record.toReport(operation)
    })
  }

  rates(): Pick<
    NonNullable<McpReport['load']>,
    | 'durationMs'
    | 'started'
    | 'ended'
    | 'requestsPerSecond'
    | 'peakRequestsPerSecond'
    | 'perSecond'
    | 'errorRate'
  > {
    // Whole microseconds: what is added and taken away again is a little off.
    const durationMs = Math.round(1000 * ((this.#overAtMs ?? performance.now()) - this.beganAtMs)) / 1000
    const wholeSeconds = Math.floor(durationMs / 1000)
    const perSecond = Array.from({ length: wholeSeconds }, (_, second) => this.#perSecond[second] ?? 0)
    const requestsPerSecond = durationMs === 0 ? 0 : (1000 * this.endedInTime) / durationMs
    return {
      durationMs,
      started: this.started,
      ended: this.ended,
      requestsPerSecond,
      peakRequestsPerSecond: perSecond.length === 0 ? requestsPerSecond : Math.max(...perSecond),
      perSecond,
      errorRate: this.started === 0 ? 0 : this.failed / this.started,
    }
  }
}
