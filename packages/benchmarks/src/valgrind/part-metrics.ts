import type { BenchmarkMetric } from '../benchmark-result.ts'
import type { WarningList } from '../warning-list.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { CallgrindPart } from './callgrind-file.ts'
import { estimatedCycles } from './estimated-cycles.ts'
import { valgrindMetric } from './valgrind-metric.ts'

/** The misses that make up those of a level; they are shown as one number. */
const MISSES = {
  l1: ['I1mr', 'D1mr', 'D1mw'],
  ll: ['ILmr', 'DLmr', 'DLmw'],
}

/** What callgrind counted in a part, with what follows from it when it simulated caches. */
export function partMetrics(
  totals: Map<string, number>,
  { timeUnits, lineNumber }: CallgrindPart,
  warnings: WarningList,
): BenchmarkMetric[] {
  const ofCaches = totals.has('I1mr') ? cacheMetrics(totals) : []
  if (!ofCaches)
    warnings.add(lineNumber, 'more misses of a cache than accesses to it; no cycles follow from them.')
  const summed = new Set(ofCaches ? [...MISSES.l1, ...MISSES.ll] : [])
  return [
    ...(ofCaches ?? []),
    ...[...totals]
      .filter(([event]) => !summed.has(event))
      .map(([event, count]) => eventMetric(event, count, timeUnits.get(event))),
  ]
}

/** Undefined when the counts cannot be. */
function cacheMetrics(totals: Map<string, number>): BenchmarkMetric[] | undefined {
  const sum = (events: string[]): number =>
    events.reduce((total, event) => total + (totals.get(event) ?? 0), 0)
  const l1Misses = sum(MISSES.l1)
  const ramHits = sum(MISSES.ll)
  const l1Hits = sum(['Ir', 'Dr', 'Dw']) - l1Misses
  const llHits = l1Misses - ramHits
  if (l1Hits < 0 || llHits < 0) return undefined
  return [
    valgrindMetric('EstimatedCycles', estimatedCycles({ l1Hits, llHits, ramHits })),
    valgrindMetric('L1hits', l1Hits),
    valgrindMetric('LLhits', llHits),
    valgrindMetric('RamHits', ramHits),
    valgrindMetric('L1misses', l1Misses),
    valgrindMetric('LLmisses', ramHits),
  ]
}

function eventMetric(event: string, count: number, timeUnit: string | undefined): BenchmarkMetric {
  const metric = valgrindMetric(event, count)
  const nsPerUnit = timeUnit === undefined ? undefined : nsPerPrintedUnit(timeUnit)
  return nsPerUnit === undefined
    ? metric
    : { ...metric, value: count * nsPerUnit, unit: 'ns', betterWhen: 'lower' }
}
