import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import type { LabelSummary } from '../profile.ts'
import type { PprofStrings } from './pprof-columns.ts'
import { wireVarint, type ProtobufCursor } from './protobuf.ts'

const keyTag = 1 * 8 + wireVarint
const textTag = 2 * 8 + wireVarint
const numberTag = 3 * 8 + wireVarint
const unitTag = 4 * 8 + wireVarint

const isFull = () => new RangeError('The table is full: ask isFull first')

/** Counts the labels of samples: (key, text) and (key, number) pairs with their samples and values. */
export class PprofLabels {
  /** Values per entry: the number of samples, then one per sample type. */
  private readonly textPairs: PairTable
  private readonly numberPairs: PairTable
  private readonly numberIndexes = new Map<number, number>()
  private readonly numbers: number[] = []
  /** The unit of a numeric key is that of its first label, as in `go tool pprof`. */
  private readonly units = new Map<number, number>()
  private readonly typeCount: number
  private ignoredCount = 0

  /** Labels of the sample being read: a pair and the table it belongs to. They may come before the values. */
  private pending: { table: PairTable; first: number; second: number }[] = []
  private pendingCount = 0

  constructor(typeCount: number) {
    this.typeCount = typeCount
    const table = () =>
      new PairTable({ valueWidth: typeCount + 1, maxCount: limits.labelValues, overflow: isFull })
    this.textPairs = table()
    this.numberPairs = table()
  }

  startSample(): void {
    this.pendingCount = 0
  }

  /** Reads a `message Label` at the cursor, its length first. */
  readLabel(cursor: ProtobufCursor): void {
    const end = cursor.readLength()
    const outerEnd = cursor.end
    cursor.end = end
    let key = 0
    let text = 0
    let number = 0
    let unit = 0
    while (cursor.position < end) {
      const tag = cursor.readTag()
      if (tag === keyTag) key = cursor.readUint()
      else if (tag === textTag) text = cursor.readUint()
      else if (tag === numberTag) number = cursor.readInt()
      else if (tag === unitTag) unit = cursor.readUint()
      else cursor.skip(tag)
    }
    cursor.end = outerEnd
    if (key > limits.tableEntries || text > limits.tableEntries || unit > limits.tableEntries) {
      cursor.fail('a label names a string that is not there', end)
    }
    if (text !== 0) this.remember(this.textPairs, key, text)
    else if (number !== 0 || unit !== 0) {
      if (!this.units.has(key) && this.units.size < limits.labelValues) this.units.set(key, unit)
      this.remember(this.numberPairs, key, this.numberIndex(number))
    }
  }

  finishSample(values: Float64Array): void {
    for (let index = 0; index < this.pendingCount; index++) {
      const { table, first, second } = this.pending[index]!
      const pair = table.isFull || second === -1 ? table.find(first, second) : table.intern(first, second)
      if (pair === 0) {
        this.ignoredCount++
        continue
      }
      const at = pair * table.valueWidth
      table.values[at]! += 1
      for (let type = 0; type < this.typeCount; type++) table.values[at + 1 + type]! += values[type]!
    }
  }

  /** Names in order of appearance, the heaviest values first, weighed by one sample type. */
  summarize(strings: PprofStrings, sampleTypeIndex: number, warnings: string[]): LabelSummary[] {
    const byName = new Map<string, LabelSummary>()
    const collect = (table: PairTable, valueOf: (key: number, second: number) => string) => {
      for (let pair = 1; pair < table.count; pair++) {
        const key = table.firsts[pair]!
        const name = strings.get(key)
        const summary = byName.get(name) ?? { name, valueCount: 0, values: [] }
        byName.set(name, summary)
        const sampleCount = table.values[pair * table.valueWidth]!
        const weight = table.values[pair * table.valueWidth + 1 + sampleTypeIndex]!
        summary.values.push({ value: valueOf(key, table.seconds[pair]!), sampleCount, weight })
      }
    }
    collect(this.textPairs, (_key, text) => strings.get(text))
    collect(this.numberPairs, (key, index) =>
      `${this.numbers[index]} ${strings.get(this.units.get(key) ?? 0)}`.trimEnd(),
    )
    for (const summary of byName.values()) {
      summary.valueCount = summary.values.length
      summary.values.sort((a, b) => b.weight - a.weight || b.sampleCount - a.sampleCount)
      summary.values.length = Math.min(summary.values.length, limits.labelValuesShown)
    }
    if (this.ignoredCount > 0) {
      warnings.push(
        `More than ${limits.labelValues} label values: ${this.ignoredCount} labels were not counted.`,
      )
    }
    return [...byName.values()]
  }

  private remember(table: PairTable, first: number, second: number): void {
    const entry = this.pending[this.pendingCount]
    if (entry === undefined) this.pending.push({ table, first, second })
    else {
      entry.table = table
      entry.first = first
      entry.second = second
    }
    this.pendingCount++
  }

  /** The index of a number, or -1 when there are too many to tell apart. */
  private numberIndex(number: number): number {
    const known = this.numberIndexes.get(number)
    if (known !== undefined) return known
    if (this.numbers.length >= limits.labelValues) return -1
    this.numberIndexes.set(number, this.numbers.length)
    return this.numbers.push(number) - 1
  }
}
