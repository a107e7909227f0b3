import { highestOf } from '../slots.ts'

/** How many values each slot counts; slots rise. */
export interface SlotCounts {
  slots: readonly number[]
  counts: readonly number[]
}

/** What was counted between two histograms of the same values, of which the first is the older. */
export function histogramBetween(before: SlotCounts, last: SlotCounts): SlotCounts {
  return combined(before, last, (older, newer) => newer - older)
}

/** All values of both. */
export function histogramSum(a: SlotCounts, b: SlotCounts): SlotCounts {
  return combined(a, b, (x, y) => x + y)
}

/** The smallest value that as large a share of all does not exceed; undefined of no values. */
export function percentileIn({ slots, counts }: SlotCounts, percent: number): number | undefined {
  let total = 0
  for (const count of counts) total += count
  // In floating point 99.9 % of 1000 is a hair more than 999.
  const wanted = Math.max(1, Math.ceil((percent / 100) * total - 1e-9))
  let seen = 0
  for (const [index, slot] of slots.entries()) {
    seen += counts[index] ?? 0
    if (seen >= wanted) return highestOf(slot)
  }
  return undefined
}

/** The largest value that was counted between two histograms of the same values, as its slot tells it; undefined of no values. */
export function longestBetween(before: SlotCounts, last: SlotCounts): number | undefined {
  let older = before.slots.length - 1
  for (let newer = last.slots.length - 1; newer >= 0; newer--) {
    const slot = last.slots[newer] ?? 0
    while (older >= 0 && (before.slots[older] ?? 0) > slot) older--
    const was = before.slots[older] === slot ? (before.counts[older] ?? 0) : 0
    if ((last.counts[newer] ?? 0) > was) return highestOf(slot)
  }
  return undefined
}

/** Slot by slot, in one pass over both: an answer is of thousands of histograms. Slots that count nothing are left out. */
function combined(a: SlotCounts, b: SlotCounts, combine: (x: number, y: number) => number): SlotCounts {
  const slots: number[] = []
  const counts: number[] = []
  let [atA, atB] = [0, 0]
  while (atA < a.slots.length || atB < b.slots.length) {
    const slot = Math.min(a.slots[atA] ?? Infinity, b.slots[atB] ?? Infinity)
    const x = a.slots[atA] === slot ? (a.counts[atA++] ?? 0) : 0
    const y = b.slots[atB] === slot ? (b.counts[atB++] ?? 0) : 0
    const count = combine(x, y)
    if (count <= 0) continue
    slots.push(slot)
    counts.push(count)
  }
  return { slots, counts }
}
