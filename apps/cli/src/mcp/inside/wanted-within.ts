import type { McpProfilerConfiguration } from '@flamegate/mcp-profiling'
import type { WantedInside } from './inside.ts'

/** What is wanted of the inside, as far as the configuration lets it be seen. */
export function wantedWithin(
  wanted: WantedInside,
  { cpu, memory }: Pick<McpProfilerConfiguration, 'cpu' | 'memory'>,
): WantedInside {
  const isMemory =
    (wanted.gc ?? false) !== false || wanted.collections !== undefined || wanted.snapshots !== undefined
  return {
    ...wanted,
    cpu: wanted.cpu === true && cpu.enabled,
    heap: memory.enabled ? wanted.heap || (isMemory && memory.allocationTracking) : false,
    gc: memory.enabled && memory.gcMonitoring ? (wanted.gc ?? false) : false,
    collections: memory.enabled && memory.leakDetection ? (wanted.collections ?? 'none') : 'none',
    snapshots: memory.enabled && memory.heapSnapshots ? (wanted.snapshots ?? 'none') : 'none',
  }
}

/** What was wanted and is not seen, for people. */
export function notesOnUnwanted(asked: WantedInside, wanted: WantedInside): string[] {
  const kinds = [
    ['cpu', 'CPU profiles (cpu.enabled)'],
    ['heap', 'allocations (memory.enabled)'],
    ['gc', 'garbage collections (memory.enabled, memory.gcMonitoring)'],
    ['collections', 'growth of the heap (memory.enabled, memory.leakDetection)'],
    ['snapshots', 'heap snapshots (memory.enabled, memory.heapSnapshots)'],
  ] as const
  const left = kinds.flatMap(([key, words]) => (isAsked(asked[key]) && !isAsked(wanted[key]) ? [words] : []))
  return left.length === 0 ? [] : [`Not seen, because the configuration says so: ${left.join('; ')}.`]
}

function isAsked(value: unknown): boolean {
  return value !== undefined && value !== false && value !== 'none'
}
