import { sizedArguments, type McpOperation } from '@flamegate/mcp-profiling'
import type { PlannedOperation } from '../load/planned-operation.ts'
import { processesOf, queuedMsOf } from '../load/process-tree.ts'
import type { OpenServer } from '../open-server.ts'
import type { McpWire, PreparedRequest } from '../session/wire.ts'

/** Characters or items that growth begins with, and so many more times in each step. */
const sizeMin = 16
const stepTimes = 2
const requestBytesMax = 128 * 1024
/** A call that takes so long is large enough: ten times more data would only take the time. */
const longEnoughMs = 100
/** As many sizes are compared, and each as often at least and at most. */
const sizesCompared = 5
const callsMin = 8
const callsMax = 20
const seed = 1

interface MeasureSizesOptions {
  /** The user gave arguments for it: others are not sent. */
  areArgumentsGiven: boolean
  durationMs: number
  interruption: AbortSignal
}

/**
 * How long an operation takes with inputs of several sizes: arguments that may grow are made larger and larger until a call takes
 * long, and the largest sizes are then called in turns, so that what else the machine does is shared by all. Undefined where
 * nothing grows, or larger inputs are refused.
 */
export async function measureSizes(
  { session: { wire }, tools, pid }: OpenServer,
  operation: PlannedOperation,
  options: MeasureSizesOptions,
): Promise<McpOperation['bySize']> {
  const { interruption } = options
  const endAtMs = performance.now() + options.durationMs
  const pids = pid === undefined ? [] : await processesOf(pid)
  const timeOf = (request: PreparedRequest) => ownTimeOf(wire, request, pids)
  const requests = options.areArgumentsGiven
    ? ofDifferentSizes(operation.requests)
    : await steepest(
        sizedArguments(tools.find(({ name }) => name === operation.name)?.inputSchema, seed).map(
          ({ ofSize }) =>
            (size: number) => {
              const made = ofSize(size)
              return made && wire.prepare(operation.method, { name: operation.name, arguments: made })
            },
        ),
        timeOf,
        interruption,
      )
  if (requests.length < 4) return undefined
  const timesMs = requests.map((): number[] => [])
  for (let round = 0; round < callsMax && (round < callsMin || performance.now() < endAtMs); round++) {
    for (const [place, request] of requests.entries()) {
      const callMs = await timeOf(request)
      if (callMs === undefined || interruption.aborted) return undefined
      timesMs[place]?.push(callMs)
    }
  }
  return requests.map(({ bytes }, place) => {
    const sorted = (timesMs[place] ?? []).toSorted((a, b) => a - b)
    return {
      requestBytes: bytes,
      calls: sorted.length,
      lowerQuartileMs: sorted[Math.floor(sorted.length / 4)] ?? 0,
    }
  })
}

/** Those that the user gave, if they differ in size; smallest first. */
function ofDifferentSizes(requests: readonly PreparedRequest[]): PreparedRequest[] {
  const bySize = new Map(requests.map((request) => [request.bytes, request]))
  return [...bySize.values()].toSorted((a, b) => a.bytes - b.bytes)
}

/** The sizes of the one argument of which time grows most; smallest first. */
async function steepest(
  arguments_: readonly ((size: number) => PreparedRequest | undefined)[],
  timeOf: (request: PreparedRequest) => Promise<number | undefined>,
  interruption: AbortSignal,
): Promise<PreparedRequest[]> {
  let best: { requests: PreparedRequest[]; growthMs: number } = { requests: [], growthMs: -Infinity }
  for (const ofSize of arguments_) {
    const steps: { request: PreparedRequest; callMs: number }[] = []
    for (let size = sizeMin; !interruption.aborted; size *= stepTimes) {
      const request = ofSize(size)
      if (request === undefined || request.bytes > requestBytesMax) break
      const [once, again] = [await timeOf(request), await timeOf(request)]
      if (once === undefined || again === undefined) break
      // Of two the shorter one: a single call may be long for any reason.
      const callMs = Math.min(once, again)
      steps.push({ request, callMs })
      if (callMs >= longEnoughMs) break
    }
    const growthMs = (steps.at(-1)?.callMs ?? 0) - (steps[0]?.callMs ?? 0)
    if (steps.length >= sizesCompared && growthMs > best.growthMs) {
      best = { requests: steps.slice(-sizesCompared).map(({ request }) => request), growthMs }
    }
  }
  return best.requests
}

/**
 * Without what the server waited for a processor; undefined of a call that failed. What the client waited is left in: it may have waited
 * while the server was at work.
 */
async function ownTimeOf(
  wire: McpWire,
  request: PreparedRequest,
  pids: readonly number[],
): Promise<number | undefined> {
  const queuedBeforeMs = await queuedMsOf(pids)
  const { failure, sentAtMs, endedAtMs } = await wire.call(request)
  const queuedMs = (await queuedMsOf(pids)) - queuedBeforeMs
  return failure === null ? Math.max(0, endedAtMs - sentAtMs - queuedMs) : undefined
}
