/**
 * Which measures of a section are told in markdown, and come first in tables, in this order; `p*_ns` is all percentiles. What is not
 * here has no order of its own.
 */
export const summaryColumns = {
  functions_timing: [
    'calls',
    'sampled_calls',
    'calls_per_second',
    'total_ns',
    'wall_percent',
    'mean_ns',
    'p*_ns',
    'max_ns',
    'failed',
  ],
  functions_alloc: [
    'calls',
    'sampled_calls',
    'total_bytes',
    'bytes_per_second',
    'allocations',
    'mean_bytes',
    'p*_bytes',
    'max_bytes',
    'retained_bytes',
  ],
  channels: [
    'sent',
    'received',
    'sent_per_second',
    'received_per_second',
    'queued',
    'queued_change',
    'queued_max',
    'capacity',
    'queued_bytes',
    'delay_mean_ns',
    'delay_p*_ns',
    'processing_mean_ns',
    'processing_p*_ns',
  ],
  streams: ['items', 'items_per_second', 'instances', 'closed_instances'],
  futures: [
    'calls',
    'polls',
    'completed',
    'failed',
    'pending',
    'poll_total_ns',
    'poll_mean_ns',
    'poll_p*_ns',
    'poll_max_ns',
    'duration_mean_ns',
    'duration_p*_ns',
    'poll_allocated_total_bytes',
  ],
  threads: [
    'cpu_percent',
    'cpu_percent_max',
    'cpu_ns',
    'rss_bytes',
    'rss_max_bytes',
    'memory_limit_bytes',
    'heap_used_bytes',
    'heap_total_bytes',
    'allocated_bytes',
    'freed_bytes',
    'kept_bytes',
    'kept_change_bytes',
  ],
  gauges: [
    'value',
    'logged',
    'added',
    'count',
    'sum',
    'duration_mean_ns',
    'duration_p*_ns',
    'size_mean_bytes',
    'size_p*_bytes',
  ],
  debug: ['logged'],
  values: ['logged'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Names of measures as a table has them: those that are wanted in their order, then the others as they come. */
export function orderedMeasures(names: readonly string[], section: string): string[] {
  const wanted: readonly string[] = Object.entries(summaryColumns).find(([of]) => of === section)?.[1] ?? []
  const first = wanted.flatMap((pattern) => names.filter((name) => fitsMeasure(name, pattern)))
  return [...first, ...names.filter((name) => !first.includes(name))]
}

/** Whether a measure is what a pattern means: its own name, or with `p*` any percentile. */
export function fitsMeasure(name: string, pattern: string): boolean {
  const [before, after] = pattern.split('p*')
  if (after === undefined) return name === pattern
  return (
    name.startsWith(before ?? '') &&
    /^p[\d_]+$/.test(name.slice(before?.length, -after.length)) &&
    name.endsWith(after)
  )
}
