import { setTimeout as pause } from 'node:timers/promises'
import { operationTitle, type McpReport } from '@flamegate/mcp-profiling'
import type { PlannedOperation } from '../load/planned-operation.ts'
import type { McpWire } from '../session/wire.ts'

type Interference = NonNullable<McpReport['interference']>

/** Alone and together are measured in turns, so often, so that what else the machine does is shared by both. */
const rounds = 4
const sliceMsMin = 100
/** In each slice the other one is called so often at least, unless it takes longer than this altogether. */
const duringCallsMin = 5
const duringMsMax = 1000
/** Fewer calls have no quartile. */
const callsMin = 5
/** Who may have to wait asks at leisure: right after the answer before, it would often come just ahead of the other one. */
const pauseMs = 2

/**
 * How long each operation takes while another one is called all the time, one call after the other, and how long it takes
 * without: what makes others wait for it. `ping`, which has nothing to do, is among those that may have to wait.
 */
export async function measureInterference(
  wire: McpWire,
  operations: readonly PlannedOperation[],
  { durationMs, interruption }: { durationMs: number; interruption: AbortSignal },
): Promise<Interference> {
  const sliceMs = Math.max(sliceMsMin, durationMs / (operations.length * rounds * 2))
  const ping: PlannedOperation = { method: 'ping', name: null, requests: [wire.prepare('ping', undefined)] }
  // Not every revision of the protocol has it.
  const hasPing = (await wire.call(ping.requests[0])).failure === null
  const found: Interference = []
  for (const during of operations) {
    const others = operations.filter((other) => other !== during)
    // Between all others, so that it is called often where these are many or slow.
    const pings = new InTurns(wire, hasPing ? [ping] : [])
    const waiting = new InTurns(wire, hasPing ? [ping, ...others.flatMap((other) => [other, ping])] : others)
    const caller = new InTurns(wire, [during])
    const alone: Times = new Map()
    const together: Times = new Map()
    for (let round = 0; round < rounds && !interruption.aborted; round++) {
      const aloneEndMs = performance.now() + sliceMs
      while (performance.now() < aloneEndMs && !interruption.aborted) await waiting.callNext(alone)
      const other = { isOver: false }
      const calling = callFor(caller, sliceMs, interruption).finally(() => (other.isOver = true))
      // First as many of those that everybody has as it takes, for each may have to wait long.
      while (!other.isOver)
        await (hasPing && (together.get(ping)?.length ?? 0) < callsMin ? pings : waiting).callNext(together)
      await calling
    }
    found.push(...judged(during, alone, together))
  }
  return found
}

/** Of calls that ended well. */
type Times = Map<PlannedOperation, number[]>

async function callFor(caller: InTurns, durationMs: number, interruption: AbortSignal): Promise<void> {
  const beganAtMs = performance.now()
  for (let calls = 0; !interruption.aborted; calls++) {
    const tookMs = performance.now() - beganAtMs
    if (tookMs >= durationMs && (calls >= duringCallsMin || tookMs >= duringMsMax)) return
    await caller.call()
  }
}

/** Calls operations in turns, one call after the other. */
class InTurns {
  readonly #wire: McpWire
  readonly #operations: readonly PlannedOperation[]
  #count = 0

  constructor(wire: McpWire, operations: readonly PlannedOperation[]) {
    this.#wire = wire
    this.#operations = operations
  }

  /** After a pause. */
  async callNext(times: Times): Promise<void> {
    await pause(pauseMs)
    const called = await this.call()
    if (called === undefined) return
    const own = times.get(called.operation)
    if (own === undefined) times.set(called.operation, [called.callMs])
    else own.push(called.callMs)
  }

  /** Undefined of a call that failed. */
  async call(): Promise<{ operation: PlannedOperation; callMs: number } | undefined> {
    const turn = Math.floor(this.#count / this.#operations.length)
    const operation = this.#operations[this.#count++ % this.#operations.length]
    if (operation === undefined) return undefined
    const { requests } = operation
    const { failure, sentAtMs, endedAtMs } = await this.#wire.call(
      requests[turn % requests.length] ?? requests[0],
    )
    return failure === null ? { operation, callMs: endedAtMs - sentAtMs } : undefined
  }
}

function judged(during: PlannedOperation, alone: Times, together: Times): Interference {
  return [...together].flatMap(([operation, togetherMs]) => {
    const aloneMs = alone.get(operation) ?? []
    const calls = Math.min(aloneMs.length, togetherMs.length)
    if (calls < callsMin) return []
    return [
      {
        operation: operationTitle(operation),
        during: operationTitle(during),
        calls,
        aloneMs: quantileOf(aloneMs, 0.5),
        togetherMs: quantileOf(togetherMs, 0.25),
      },
    ]
  })
}

function quantileOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? 0
}
