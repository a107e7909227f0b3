import type { BenchmarkResult } from '../benchmark-result.ts'
import { peakMemory } from '../measure.ts'
import type { WarningList } from '../warning-list.ts'
import type { Execution } from './execution-timestamps.ts'
import type { MemoryEvent } from './memory-events.ts'
import { measureMemory } from './memory-use.ts'

/** Nobody told which benchmarks there were, and the number of a process is another one in every run. */
const WHOLE_PROCESS = 'process'

/** One result for each benchmark that ran, or one for everything when no times tell them apart. */
export function memoryResults(
  events: readonly MemoryEvent[],
  executions: readonly Execution[],
  warnings: WarningList,
): BenchmarkResult[] {
  // Each process has a file of its own.
  const ordered = events.toSorted((one, other) => one.timestamp - other.timestamp)
  if (executions.length > 0) {
    return executions.map(({ uri, startNs, endNs }) =>
      memoryResult(uri, ordered.slice(countBefore(ordered, startNs), countBefore(ordered, endNs + 1))),
    )
  }
  if (ordered.length === 0) return []
  warnings.add('the file', 'no times tell the benchmarks apart, so the whole process is one.')
  return [memoryResult(WHOLE_PROCESS, ordered)]
}

/** How many events, which are in order, are before that time. */
function countBefore(ordered: readonly MemoryEvent[], ns: number): number {
  let [low, high] = [0, ordered.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((ordered[middle]?.timestamp ?? ns) < ns) low = middle + 1
    else high = middle
  }
  return low
}

function memoryResult(uri: string, events: readonly MemoryEvent[]): BenchmarkResult {
  const { peakBytes, endBytes, allocatedBytes, allocations } = measureMemory(events)
  return {
    uri,
    name: uri.split('::').at(-1) ?? uri,
    ...peakMemory,
    value: peakBytes,
    statistic: 'single',
    stats: {},
    metrics: [
      { name: 'total_allocated', value: allocatedBytes, unit: 'B', betterWhen: 'lower' },
      { name: 'allocations', value: allocations, unit: 'allocations', betterWhen: 'lower' },
      { name: 'memory_at_end', value: endBytes, unit: 'B', betterWhen: 'lower' },
      ...(allocations > 0
        ? [{ name: 'average_allocation', value: allocatedBytes / allocations, unit: 'B' }]
        : []),
    ],
  }
}
