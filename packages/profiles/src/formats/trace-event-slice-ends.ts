import { isObject, type JsonObject } from './json.ts'

/** The ends of a thread's slices in the order of their times, and which of those of one time comes first. */
export class SliceEnds {
  private readonly events: readonly JsonObject[]
  private readonly finishes: Float64Array
  private readonly ends: number[]
  /** Those from `first` up to `groupEnd` are of one time; of them, some were taken already. */
  private first = 0
  private groupEnd = 0
  private taken = new Set<number>()
  private groupIds: Map<string, number[]> | undefined
  private groupNames: Map<unknown, number[]> | undefined

  /** `ends`: events that end one, in the order in which they count when their times, `finishes`, are the same. */
  constructor(ends: number[], finishes: Float64Array, events: readonly JsonObject[]) {
    this.events = events
    this.finishes = finishes
    this.ends = ends.toSorted((a, b) => finishes[a]! - finishes[b]!)
    this.openGroup()
  }

  get isEmpty(): boolean {
    return this.first === this.ends.length
  }

  /** Whether a slice begins before the next end: it does at the same time if that is its own, and there is no other to end. */
  isAfterBegin(begin: number, time: number, top: number | undefined): boolean {
    const end = this.ends[this.first]!
    if (time !== this.finishes[end]) return time < this.finishes[end]!
    if (begin === end) return true
    if (this.identity(begin) !== this.identity(end)) return false
    // `E f, B f` of one time, one call after the other: the first has to end, if it is there.
    const endsTop = top !== undefined && end < begin && this.identity(top) === this.identity(end)
    return !endsTop
  }

  /** Takes the end that fits the innermost open slice best. */
  take(top: number | undefined): number {
    const end = top === undefined ? this.ends[this.first]! : this.bestFor(top)
    this.taken.add(end)
    while (this.first < this.groupEnd && this.taken.has(this.ends[this.first]!)) this.first++
    if (this.first === this.groupEnd) this.openGroup()
    return end
  }

  fitsName(end: number, top: number): boolean {
    const name = this.event(end).name
    return name === this.event(top).name || (name === undefined && this.event(end).ph === 'E')
  }

  private bestFor(top: number): number {
    const front = this.ends[this.first]!
    if (this.groupEnd - this.first === 1) return front
    if (this.event(top).ph === 'X' && this.finishes[top] === this.finishes[front] && !this.taken.has(top))
      return top
    this.groupIds ??= this.byKey((end) => this.identity(end))
    this.groupNames ??= this.byKey((end) => this.event(end).name)
    return (
      this.untaken(this.groupIds.get(this.identity(top))) ??
      this.untaken(this.groupNames.get(this.event(top).name)) ??
      front
    )
  }

  private openGroup(): void {
    const { ends, finishes } = this
    this.groupEnd = this.first
    while (this.groupEnd < ends.length && finishes[ends[this.groupEnd]!] === finishes[ends[this.first]!])
      this.groupEnd++
    this.taken = new Set()
    this.groupIds = undefined
    this.groupNames = undefined
  }

  /** Per key, the ends of the group, the last first. */
  private byKey<K>(keyOf: (end: number) => K): Map<K, number[]> {
    return Map.groupBy(this.ends.slice(this.first, this.groupEnd).toReversed(), keyOf)
  }

  private untaken(candidates: number[] | undefined): number | undefined {
    if (candidates === undefined) return undefined
    while (this.taken.has(candidates[candidates.length - 1]!)) candidates.pop()
    return candidates[candidates.length - 1]
  }

  private event(index: number): JsonObject {
    return this.events[index]!
  }

  /** Name and plain arguments. */
  private identity(index: number): string {
    const { name, args } = this.event(index)
    const values = isObject(args) ? Object.entries(args) : []
    const told = values.map(
      ([key, value]) => `${key} ${isObject(value) || Array.isArray(value) ? '' : String(value)}`,
    )
    return [typeof name === 'string' ? name : '', ...told].join('\0')
  }
}
