import { operationTitle, starvedOf, type DiagnosisKind, type McpInside } from '@flamegate/mcp-profiling'
import { heapClassesOf } from '../heap/heap-classes.ts'
import type { WantedInside } from '../inside/inside.ts'
import type { MeasuredLoad } from '../load/measure-load.ts'
import type { Measuring } from '../measuring.ts'
import { measureBursts } from './measure-bursts.ts'
import { measureByItself, type ByItself } from './measure-by-itself.ts'
import { measureInterference } from './measure-interference.ts'
import { measureSizes } from './measure-sizes.ts'
import { measureSweep } from './measure-sweep.ts'
import { Tracer } from './tracer.ts'

/** What can be measured, and how much of the time each takes. */
const weights = { byItself: 4, load: 3, sizes: 3, interference: 3, bursts: 2, sweep: 3, trace: 2 }
type Part = keyof typeof weights

const partsOf: Record<DiagnosisKind, readonly Part[]> = {
  cpu: ['load', 'sizes', 'interference'],
  'memory-leak': ['byItself', 'load'],
  'slow-response': ['byItself', 'load', 'sizes', 'interference', 'sweep'],
  errors: ['load', 'bursts', 'sweep'],
}

/** Of the load in which all operations are called in turns. */
const insideOf: Record<DiagnosisKind, WantedInside> = {
  cpu: { cpu: true, gc: true, eventLoop: true },
  'memory-leak': { gc: true, heap: 'kept' },
  'slow-response': {},
  errors: {},
}

/** Of the rate of one call after the other: calls are traced as they come from several users, and do not pile up. */
const tracedShare = 0.5
const tracedRpsMax = 200

export interface WantedEvidence {
  kinds: readonly DiagnosisKind[]
  /** Of all that is measured, about. */
  durationMs: number
  isTraced: boolean
  /** Heap snapshots before and after the load, and what is more in the second. */
  isHeapCompared: boolean
  /** Tools for which the user gave arguments. */
  given: ReadonlySet<string>
}

type Evidence = Omit<Parameters<Measuring['report']>[0], 'command' | 'startedAt' | 'label'>

/** What is seen of the inside during the load in which all operations are called in turns; undefined: nothing. */
function insideOfLoad({ kinds, isHeapCompared }: WantedEvidence): WantedInside | undefined {
  const wanted: WantedInside = Object.assign({}, ...kinds.map((kind) => insideOf[kind]))
  if (isHeapCompared) wanted.snapshots = 'before-and-after'
  return Object.keys(wanted).length === 0 ? undefined : wanted
}

/** All that the server is prepared for. */
export function insideOfServer(wanted: WantedEvidence): WantedInside | undefined {
  const ofLoad = insideOfLoad(wanted)
  return wanted.kinds.includes('memory-leak') ? { ...ofLoad, collections: 'before-and-after' } : ofLoad
}

/** Measures what the rules of some kinds need, one thing after the other. */
export async function gatherEvidence(measuring: Measuring, wanted: WantedEvidence): Promise<Evidence> {
  const { measure, interruption, operations, say, server } = measuring
  const parts = new Set(wanted.kinds.flatMap((kind) => partsOf[kind]))
  if (wanted.isTraced) parts.add('trace')
  const allWeights = [...parts].reduce((sum, part) => sum + weights[part], 0)
  const timeOf = (part: Part): number => (wanted.durationMs * weights[part]) / allWeights
  const isNext = (part: Part): boolean => parts.has(part) && !interruption.aborted

  const isHeapWanted = wanted.kinds.includes('memory-leak')
  const need = wanted.kinds.length === 1 && isHeapWanted ? 'heap' : isHeapWanted ? 'both' : 'processor'
  const byItself = isNext('byItself')
    ? await measureByItself(measuring, { durationMs: timeOf('byItself'), need })
    : undefined
  const load = await measure(
    'one call after the other',
    {
      model: 'closed',
      concurrent: 1,
      requests: undefined,
      // Where the heap is not seen, memory is judged by this load, for which there is more time then.
      durationMs: timeOf('load') + (byItself?.leftMs ?? 0),
    },
    { inside: insideOfLoad(wanted) ?? false },
  )
  const evidence: Evidence = {
    ...load,
    notes: [...load.notes, ...noteOnMachine(load)],
    operations: load.operations.map((operation, place) => {
      const rounds = byItself?.rounds[place]
      return rounds === undefined ? operation : { ...operation, byItself: rounds }
    }),
    inside: await insideWith(load, byItself, wanted, measuring.fileOf),
  }
  if (isNext('sizes')) {
    const tools = operations.filter(({ method }) => method === 'tools/call')
    for (const [place, operation] of operations.entries()) {
      if (!tools.includes(operation) || interruption.aborted) continue
      const title = operationTitle(operation)
      say(`${title} with inputs of several sizes`)
      const bySize = await measureSizes(server, operation, {
        areArgumentsGiven: wanted.given.has(title),
        durationMs: timeOf('sizes') / tools.length,
        interruption,
      })
      const own = evidence.operations?.[place]
      if (own && bySize) own.bySize = bySize
    }
  }
  if (isNext('interference')) {
    say('each operation while another one runs')
    evidence.interference = await measureInterference(server.session.wire, operations, {
      durationMs: timeOf('interference'),
      interruption,
    })
  }
  if (isNext('bursts')) {
    say('each operation several times at once')
    evidence.bursts = await measureBursts(server.session.wire, operations, {
      durationMs: timeOf('bursts'),
      interruption,
    })
  }
  if (isNext('trace')) {
    const tracer = new Tracer(operations)
    const rps = Math.min(tracedRpsMax, Math.max(1, tracedShare * load.load.requestsPerSecond))
    await measure(
      'single calls',
      { model: 'open', rps, durationMs: timeOf('trace'), rampUpMs: 0 },
      { inside: false, warmUpCalls: 0, onCall: (call) => tracer.add(call) },
    )
    evidence.trace = tracer.slowest()
  }
  if (isNext('sweep')) evidence.sweep = await measureSweep(measuring, timeOf('sweep'))
  return evidence
}

/** Whoever reads it has to know that little was seen. */
function noteOnMachine({ resources }: MeasuredLoad): string[] {
  const starved = starvedOf(resources)
  if (starved === null) return []
  return [
    `The machine had other work: server and profiler waited for a processor ${Math.round(starved)} % of the time, so that fewer calls were made. What was not found may be there all the same; give it more time (--duration), or a machine at rest.`,
  ]
}

/** The inside of the load, with the heap as it was between the rounds, and what is more in the second heap snapshot. */
async function insideWith(
  { inside, profiles }: MeasuredLoad,
  byItself: ByItself | undefined,
  { isHeapCompared }: WantedEvidence,
  fileOf: Measuring['fileOf'],
): Promise<McpInside | null> {
  if (inside === null) return null
  const snapshots = profiles.filter(({ kind }) => kind === 'heap_snapshot').map(fileOf)
  return {
    ...inside,
    heap: byItself === undefined || byItself.heap.length === 0 ? inside.heap : byItself.heap,
    ...(isHeapCompared && snapshots.length > 1 ? await heapClassesOf(snapshots, true) : {}),
  }
}
