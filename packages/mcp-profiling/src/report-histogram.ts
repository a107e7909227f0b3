import type { Histogram } from '@flamegate/series'
import type { McpOperation } from './report.ts'

/** A histogram of a report in the form that `@flamegate/series` reckons with. */
export function histogramOf({ slots, counts }: McpOperation['latency']): Histogram {
  return { slots: Uint16Array.from(slots), counts: Float64Array.from(counts) }
}
