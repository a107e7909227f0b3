import { operationTitle, type McpTracedCall } from '@flamegate/mcp-profiling'
import type { LoadCall } from '../load/make-load.ts'
import type { PlannedOperation } from '../load/planned-operation.ts'

/** A report has so many; while they are gathered, twice as many are kept. */
const callsMax = 100

/** Keeps the slowest calls of a load, taken apart by phases. */
export class Tracer {
  readonly #operations: readonly PlannedOperation[]
  #calls: McpTracedCall[] = []
  #beganAtMs: number | undefined

  constructor(operations: readonly PlannedOperation[]) {
    this.#operations = operations
  }

  add({ place, intendedAtMs, answer, trace }: LoadCall): void {
    const operation = this.#operations[place]
    if (operation === undefined) return
    const { sentAtMs, endedAtMs, failure } = answer
    // The end of writing is only told when there is time for it, which may be after the answer.
    const writtenAtMs = earlier(trace.writtenAtMs, trace.firstByteAtMs ?? endedAtMs)
    this.#calls.push({
      operation: operationTitle(operation),
      atMs: intendedAtMs - (this.#beganAtMs ??= intendedAtMs),
      waitMs: Math.max(0, sentAtMs - intendedAtMs),
      sendMs: between(sentAtMs, writtenAtMs),
      firstByteMs: between(writtenAtMs ?? sentAtMs, trace.firstByteAtMs),
      receiveMs: trace.firstByteAtMs === null ? null : between(trace.firstByteAtMs, endedAtMs),
      totalMs: endedAtMs - intendedAtMs,
      serverMs: answer.serverTimeMs,
      requestBytes: answer.requestBytes,
      resultBytes: answer.resultBytes,
      failure: failure === null ? null : `${failure.kind}${failure.code === null ? '' : ` ${failure.code}`}`,
    })
    if (this.#calls.length >= 2 * callsMax) this.#calls = this.slowest()
  }

  slowest(): McpTracedCall[] {
    return this.#calls.toSorted((a, b) => b.totalMs - a.totalMs).slice(0, callsMax)
  }
}

function earlier(one: number | null, other: number): number | null {
  return one === null ? null : Math.min(one, other)
}

function between(fromMs: number, toMs: number | null): number | null {
  return toMs === null ? null : Math.max(0, toMs - fromMs)
}
