import type { McpOperation } from '@flamegate/mcp-profiling'
import { microseconds, slotCount, slotOf } from '@flamegate/series'

/** Counts durations in the slots of @flamegate/series. */
export class DurationCounts {
  // Most are never counted in: memory only from the first one on.
  #counts: Uint32Array | undefined

  add(durationMs: number): void {
    const slot = slotOf(microseconds(durationMs))
    this.#counts ??= new Uint32Array(slotCount)
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1
  }

  toHistogram(): McpOperation['latency'] {
    const slots: number[] = []
    const counts: number[] = []
    for (const [slot, count] of (this.#counts ?? []).entries()) {
      if (count === 0) continue
      slots.push(slot)
      counts.push(count)
    }
    return { slots, counts }
  }
}
