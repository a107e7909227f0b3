import type { McpInside, McpOperation, McpReport, McpResourceSample } from '@flamegate/mcp-profiling'
import type { WantedInside } from '../inside/inside.ts'
import type { MeasuredLoad } from '../load/measure-load.ts'
import type { Measuring } from '../measuring.ts'

/** The first one also keeps what is only kept once; of the others each has to keep as much. */
const rounds = 5
const sliceMsMin = 50
/** Rounds of slow operations are longer, so that about so many calls are in them, up to this. */
const callsWanted = 15
const sliceMsMax = 1000

export interface ByItself {
  /** By operation, in the order of the plan. */
  rounds: NonNullable<McpOperation['byItself']>[]
  /** After garbage collections, in the order of time, since the first one. */
  heap: McpInside['heap']
  /** Of the time, where rounds were of no use. */
  leftMs: number
}

/**
 * Calls each operation by itself in several rounds: what it takes of the processors, and, where garbage is collected before
 * and after, what it keeps of the heap.
 */
export async function measureByItself(
  { operations, measure, interruption }: Pick<Measuring, 'operations' | 'measure' | 'interruption'>,
  { durationMs, need }: { durationMs: number; need: 'heap' | 'processor' | 'both' },
): Promise<ByItself> {
  const sliceMs = Math.max(sliceMsMin, durationMs / (operations.length * rounds))
  const inside: WantedInside | false = need !== 'processor' && { collections: 'before-and-after' }
  const found: ByItself = { rounds: operations.map(() => []), heap: [], leftMs: 0 }
  /** Of each operation, by the round before. */
  const slicesMs: number[] = []
  const beganAtMs = performance.now()
  for (let round = 1; round <= rounds; round++) {
    if (round === 2 && need === 'heap' && found.heap.length === 0) {
      found.leftMs = durationMs * (1 - 1 / rounds)
      return found
    }
    for (const [place, operation] of operations.entries()) {
      if (interruption.aborted) return found
      const sliceAtMs = performance.now() - beganAtMs
      const what = `${operation.name ?? operation.method} by itself, ${round} of ${rounds}`
      const measured = await measure(
        what,
        { model: 'closed', concurrent: 1, requests: undefined, durationMs: slicesMs[place] ?? sliceMs },
        { operations: [operation], warmUpCalls: 0, inside },
      )
      const callMs = measured.load.durationMs / Math.max(1, measured.load.ended)
      slicesMs[place] = Math.max(sliceMs, Math.min(sliceMsMax, callsWanted * callMs))
      const collected = (measured.inside?.heap ?? []).filter(({ isAfterGc }) => isAfterGc)
      found.rounds[place]?.push(roundOf(measured, collected))
      found.heap.push(...collected.map((sample) => ({ ...sample, atMs: sliceAtMs + sample.atMs })))
    }
  }
  return found
}

function roundOf(
  { load, resources }: MeasuredLoad,
  heap: ByItself['heap'],
): ByItself['rounds'][number][number] {
  const [before, after] = [heap[0], heap.at(-1)]
  return {
    calls: load.ended,
    cpuMs: timeOf(resources, ({ cpuPercent }) => cpuPercent),
    queuedMs: timeOf(resources, ({ queuedPercent }) => queuedPercent) ?? undefined,
    keptBytes: heap.length < 2 || !before || !after ? null : after.heapUsedBytes - before.heapUsedBytes,
  }
}

/** Each sample tells of the time since the one before, and the first of that since the load began. */
function timeOf(
  resources: McpReport['resources'],
  percentOf: (sample: McpResourceSample) => number | undefined,
): number | null {
  let timeMs: number | null = null
  for (const [place, sample] of resources.entries()) {
    const percent = percentOf(sample)
    if (percent === undefined) continue
    const sinceMs = Math.max(0, resources[place - 1]?.atMs ?? 0)
    timeMs = (timeMs ?? 0) + (percent / 100) * Math.max(0, sample.atMs - sinceMs)
  }
  return timeMs
}
