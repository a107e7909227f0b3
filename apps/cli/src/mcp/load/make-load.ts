import { newTrace, type CallTrace, type McpWire, type WireAnswer } from '../session/wire.ts'
import { LoadRecord } from './load-record.ts'
import type { PlannedOperation } from './planned-operation.ts'

/** As many calls at a time, each followed by the next: until one of the two ends is reached. */
export interface ClosedLoad {
  model: 'closed'
  concurrent: number
  /** Of all operations together; undefined: until the time is over. */
  requests: number | undefined
  durationMs: number | undefined
}

/** Calls begin at a rate, whatever becomes of those before. */
export interface OpenLoad {
  model: 'open'
  rps: number
  durationMs: number
  /** For so long the rate grows evenly from nothing; part of the duration. */
  rampUpMs: number
}

export type McpLoad = ClosedLoad | OpenLoad

/** More than these at a time are not sent: later ones wait, which counts to their latency. */
const openCallsMax = 1000

export interface MadeLoad {
  record: LoadRecord
  /** The most calls that were under way at a time. */
  concurrentMax: number
  /** How late calls of the open model were sent, for no fault of the server's: the worst hundredth began there. */
  sendLagP99Ms: number
  /** Some had to wait because too many were under way. */
  hasWaited: boolean
}

export interface MakeLoadOptions {
  interruption: AbortSignal
  /** Into so many blocks of equal length the load is divided; 30 when left out. */
  blocks?: number
  onBegin?: (record: LoadRecord) => void
  /** Hears of each call, with the moments of its way; these are only taken down for it. */
  onCall?: ((call: LoadCall) => void) | undefined
}

/** One call of a load. */
export interface LoadCall {
  /** Of its operation among those of the load. */
  place: number
  /** When it should have been sent. */
  intendedAtMs: number
  answer: WireAnswer
  trace: CallTrace
}

/** Comparisons are made of so many blocks of each operation. */
const blockCount = 30

/** Makes the load, and returns when each call has come to its end. `interruption` ends it early; what was measured is kept. */
export async function makeLoad(
  load: McpLoad,
  operations: readonly PlannedOperation[],
  wire: McpWire,
  options: MakeLoadOptions,
): Promise<MadeLoad> {
  const { blocks = blockCount, onBegin } = options
  await wire.open(
    load.model === 'closed' ? load.concurrent : Math.min(openCallsMax, Math.ceil(load.rps / 50)),
  )
  const record = new LoadRecord(operations, blocks)
  onBegin?.(record)
  return load.model === 'closed'
    ? closedLoad(load, operations, wire, record, options)
    : openLoad(load, operations, wire, record, options)
}

async function closedLoad(
  { concurrent, requests = Infinity, durationMs = Infinity }: ClosedLoad,
  operations: readonly PlannedOperation[],
  wire: McpWire,
  record: LoadRecord,
  { interruption, onCall }: MakeLoadOptions,
): Promise<MadeLoad> {
  const endAtMs = record.beganAtMs + durationMs
  if (requests === Infinity) record.isOver(endAtMs)
  const next = inTurns(operations)
  const callAgain = async (): Promise<void> => {
    for (;;) {
      const nowMs = performance.now()
      // One call at least: a machine that has other work may let a short time pass before it.
      const isOver = record.started > 0 && nowMs >= endAtMs
      if (record.started >= requests || isOver || interruption.aborted) return
      const progress = Math.max(record.started / requests, (nowMs - record.beganAtMs) / durationMs)
      record.started++
      const { place, request } = next()
      const trace = onCall && newTrace()
      const answer = await wire.call(request, trace)
      record.add(place, answer, answer.sentAtMs, progress)
      if (trace) onCall({ place, intendedAtMs: answer.sentAtMs, answer, trace })
      // The server is gone, and would be again.
      if (answer.failure?.kind === 'ended') return
    }
  }
  await Promise.all(Array.from({ length: concurrent }, callAgain))
  if (requests !== Infinity || interruption.aborted || performance.now() < endAtMs)
    record.isOver(performance.now())
  return { record, concurrentMax: concurrent, sendLagP99Ms: 0, hasWaited: false }
}

async function openLoad(
  { rps, durationMs, rampUpMs }: OpenLoad,
  operations: readonly PlannedOperation[],
  wire: McpWire,
  record: LoadRecord,
  { interruption, onCall }: MakeLoadOptions,
): Promise<MadeLoad> {
  const { beganAtMs } = record
  const endAtMs = beganAtMs + durationMs
  record.isOver(endAtMs)
  const next = inTurns(operations)
  const calls = new Set<Promise<void>>()
  let underWay = 0
  let free = Promise.withResolvers<void>()
  const lags: number[] = []
  const made: MadeLoad = { record, concurrentMax: 0, sendLagP99Ms: 0, hasWaited: false }
  let hasServer = true

  const begin = async (intendedAtMs: number): Promise<void> => {
    record.started++
    underWay++
    const { place, request } = next()
    const trace = onCall && newTrace()
    const answer = await wire.call(request, trace)
    underWay--
    free.resolve()
    free = Promise.withResolvers()
    record.add(place, answer, intendedAtMs, (intendedAtMs - beganAtMs) / durationMs)
    if (trace) onCall({ place, intendedAtMs, answer, trace })
    if (answer.failure?.kind === 'ended') hasServer = false
  }

  for (let number = 0; ; number++) {
    const intendedAtMs = beganAtMs + startOf(number, rps, rampUpMs)
    if (intendedAtMs >= endAtMs) break
    await until(intendedAtMs, interruption)
    const isHeldBack = underWay >= openCallsMax
    if (isHeldBack) await free.promise
    if (interruption.aborted || !hasServer) {
      record.isOver(performance.now())
      break
    }
    if (isHeldBack) made.hasWaited = true
    else lags.push(performance.now() - intendedAtMs)
    const call = begin(intendedAtMs)
    calls.add(call)
    void call.then(() => calls.delete(call))
    made.concurrentMax = Math.max(made.concurrentMax, underWay)
  }
  await Promise.all(calls)
  lags.sort((a, b) => a - b)
  made.sendLagP99Ms = lags[Math.floor(0.99 * lags.length)] ?? 0
  return made
}

/** When the call of that number should begin, in ms since the load did. The rate grows evenly during the ramp-up. */
export function startOf(number: number, rps: number, rampUpMs: number): number {
  const perMs = rps / 1000
  const inRampUp = (perMs * rampUpMs) / 2
  return number < inRampUp
    ? Math.sqrt((2 * rampUpMs * number) / perMs)
    : rampUpMs + (number - inRampUp) / perMs
}

/** Timers come up to this late; for the rest we stay awake. */
const timerLateMs = 2

async function until(atMs: number, interruption: AbortSignal): Promise<void> {
  for (;;) {
    const leftMs = atMs - performance.now()
    if (leftMs <= 0 || interruption.aborted) return
    await new Promise<void>((resolve) => {
      // Long waits in pieces, so that an interruption is noticed.
      if (leftMs > timerLateMs) setTimeout(resolve, Math.min(leftMs - timerLateMs, 200))
      else setImmediate(resolve)
    })
  }
}

/** Each operation in its turn, and each of its requests. */
function inTurns(operations: readonly PlannedOperation[]) {
  let count = 0
  return () => {
    const place = count % operations.length
    const turn = Math.floor(count++ / operations.length)
    const operation = operations[place]
    if (operation === undefined) throw new RangeError('There is an operation at least')
    const { requests } = operation
    return { place, request: requests[turn % requests.length] ?? requests[0] }
  }
}
