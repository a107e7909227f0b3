import { longer } from '../columns.ts'
import { Fingerprints } from '../fingerprints.ts'
import { GrowingRows } from '../growing-rows.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import type { LabelSet, ProfileDetail } from '../profile-detail.ts'
import type { LabelSummary } from '../profile.ts'
import { sortedRows } from '../sorted-rows.ts'
import type { PprofStrings } from './pprof-columns.ts'
import { wireVarint, type ProtobufCursor } from './protobuf.ts'

const keyTag = 1 * 8 + wireVarint
const textTag = 2 * 8 + wireVarint
const numberTag = 3 * 8 + wireVarint
const unitTag = 4 * 8 + wireVarint

const isFull = () => new RangeError('The table is full: ask isFull first')

/** Labels that samples carry together, as they are written. */
interface Carried {
  /** A label is twice its entry, plus one for those with numbers. */
  labels: number[]
  set: number
  /** Labels that are not among them, since there are too many values, or too many of a sample. */
  ignoredCount: number
  surplusCount: number
}

/**
 * Counts the labels of samples: (key, text) and (key, number) pairs with their samples and values. The same labels are
 * written with the same bytes, mostly, so they are read once; how often they come is counted by their bytes.
 */
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
  private surplusCount = 0
  /** Labels that samples carry together, as a path: (the set before, a label). */
  private readonly sets: PairTable
  /** (Where the stack ends, set), with what such samples have. */
  private readonly rows: GrowingRows

  /** By the bytes of labels: which of those below. */
  private readonly written = new Fingerprints(limits.labelSets)
  private readonly carried: Carried[] = []
  /** Of each, its set, the number of its samples, and what they have. */
  private carriedSets = new Int32Array(64)
  private carriedSums: Float64Array
  private unlabelledCount = 0
  /** Of the sample being read, where its labels begin, and the last one ends: they may come before its values. */
  private starts = new Int32Array(64)
  private startCount = 0
  private end = 0
  private areSideBySide = true

  constructor(typeCount: number) {
    this.typeCount = typeCount
    const table = () =>
      new PairTable({ valueWidth: typeCount + 1, maxCount: limits.labelValues, overflow: isFull })
    this.textPairs = table()
    this.numberPairs = table()
    this.sets = new PairTable({ valueWidth: 1, maxCount: limits.labelSets, overflow: isFull })
    this.carriedSums = new Float64Array(64 * (typeCount + 1))
    this.rows = new GrowingRows({
      width: typeCount,
      maxCount: Math.floor(limits.values / Math.max(1, typeCount)),
    })
  }

  /** Takes a label of the sample, tag and length included. */
  add(start: number, end: number): void {
    if (this.startCount === this.starts.length) {
      this.starts = longer(this.starts, new Int32Array(2 * this.startCount))
    }
    if (this.startCount > 0 && start !== this.end) this.areSideBySide = false
    this.starts[this.startCount++] = start
    this.end = end
  }

  /**
   * Counts the labels that were added, and gives their set.
   * @param cursor whose bytes they are in; it may be anywhere afterwards
   * @param values those of the sample, from `firstValue`
   */
  finishSample(cursor: ProtobufCursor, values: Float64Array, firstValue: number): number {
    const set = this.startCount === 0 ? 0 : this.countLabels(cursor, values, firstValue)
    this.startCount = 0
    this.areSideBySide = true
    return set
  }

  /** Of the first `count` samples, by nodes where their stacks end, by sets of labels, and by values side by side. */
  addRows(nodes: Int32Array, sets: Int32Array, values: Float64Array, count: number): void {
    for (let sample = 0; sample < count; sample++) {
      const set = sets[sample]!
      if (set === 0 || !this.rows.add(nodes[sample]!, set, values, sample * this.typeCount))
        this.unlabelledCount++
    }
  }

  /** Adds the sample to what its labels have, and gives their set. */
  private countLabels(cursor: ProtobufCursor, values: Float64Array, firstValue: number): number {
    const { areSideBySide, written } = this
    let known = areSideBySide ? written.find(cursor.bytes, this.starts[0]!, this.end) : -1
    if (known === -1) {
      const carried = this.readLabels(cursor)
      if (!areSideBySide || written.isFull) {
        this.count(
          carried,
          Float64Array.of(1, ...values.subarray(firstValue, firstValue + this.typeCount)),
          0,
        )
        return carried.set
      }
      known = this.carried.push(carried) - 1
      written.remember(known)
      if (known === this.carriedSets.length) {
        this.carriedSets = longer(this.carriedSets, new Int32Array(2 * known))
        this.carriedSums = longer(this.carriedSums, new Float64Array(2 * this.carriedSums.length))
      }
      this.carriedSets[known] = carried.set
    }
    const at = known * (this.typeCount + 1)
    this.carriedSums[at]! += 1
    for (let type = 0; type < this.typeCount; type++) {
      this.carriedSums[at + 1 + type]! += values[firstValue + type]!
    }
    return this.carriedSets[known]!
  }

  private readLabels(cursor: ProtobufCursor): Carried {
    const carried: Carried = { labels: [], set: 0, ignoredCount: 0, surplusCount: 0 }
    for (let index = 0; index < this.startCount; index++) {
      cursor.position = this.starts[index]!
      cursor.readTag()
      this.readLabel(cursor, carried)
    }
    return carried
  }

  /** Reads a `message Label` at the cursor, its length first. Those beyond `limits.labelsPerSample` are only counted. */
  private readLabel(cursor: ProtobufCursor, carried: Carried): void {
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
    if (text !== 0) this.carry(carried, this.textPairs, key, text)
    else if (number !== 0 || unit !== 0) {
      if (!this.units.has(key) && this.units.size < limits.labelValues) this.units.set(key, unit)
      this.carry(carried, this.numberPairs, key, this.numberIndex(number))
    }
  }

  private carry(carried: Carried, table: PairTable, key: number, value: number): void {
    if (carried.labels.length + carried.ignoredCount === limits.labelsPerSample) {
      carried.surplusCount++
      return
    }
    const pair = table.isFull || value === -1 ? table.find(key, value) : table.intern(key, value)
    if (pair === 0) {
      carried.ignoredCount++
      return
    }
    const label = 2 * pair + (table === this.textPairs ? 0 : 1)
    carried.labels.push(label)
    carried.set = this.sets.isFull ? this.sets.find(carried.set, label) : this.sets.intern(carried.set, label)
  }

  /** Adds the number of samples and their values, which are in `sums` from a place, to each of the labels. */
  private count({ labels, ignoredCount, surplusCount }: Carried, sums: Float64Array, from: number): void {
    this.ignoredCount += ignoredCount * sums[from]!
    this.surplusCount += surplusCount * sums[from]!
    for (const label of labels) {
      const table = label % 2 === 0 ? this.textPairs : this.numberPairs
      const at = Math.floor(label / 2) * table.valueWidth
      for (let column = 0; column < table.valueWidth; column++) {
        table.values[at + column]! += sums[from + column]!
      }
    }
  }

  /**
   * What samples of each set of labels have, and as the first set, which is without any, what is left of the values of
   * their nodes. Undefined when no sample has labels.
   * @param nodes by place in the tree of locations
   * @param selfValues of those nodes, per sample type
   */
  labelled(
    strings: PprofStrings,
    nodes: Int32Array,
    selfValues: readonly Float64Array[],
  ): Pick<Required<ProfileDetail>, 'labelSets' | 'labelled'> | undefined {
    const { firsts } = this.rows.rows
    if (firsts.length === 0) return undefined
    for (let row = 0; row < firsts.length; row++) firsts[row] = nodes[firsts[row]!]!
    if (this.unlabelledCount > 0) this.addRest(selfValues)
    const sorted = sortedRows(this.rows.rows)
    this.rows.letGo()
    return {
      labelSets: this.labelSets(strings),
      labelled: { nodes: sorted.firsts, labelSetIndexes: sorted.seconds, values: sorted.columns },
    }
  }

  private addRest(selfValues: readonly Float64Array[]): void {
    const { firsts, values } = this.rows.rows
    const rest = selfValues.map((column) => column.slice())
    for (const [type, column] of rest.entries()) {
      for (let row = 0; row < firsts.length; row++) column[firsts[row]!]! -= values[row * rest.length + type]!
    }
    const own = new Float64Array(rest.length)
    for (let node = 0; node < rest[0]!.length; node++) {
      for (let type = 0; type < rest.length; type++) own[type] = rest[type]![node]!
      if (own.some((value) => value !== 0)) this.rows.add(node, 0, own, 0)
    }
  }

  private labelSets(strings: PprofStrings): LabelSet[] {
    const labelSets: LabelSet[] = [[]]
    for (let set = 1; set < this.sets.count; set++) {
      const label = this.sets.seconds[set]!
      labelSets.push([...labelSets[this.sets.firsts[set]!]!, this.labelOf(label, strings)])
    }
    return labelSets
  }

  private labelOf(label: number, strings: PprofStrings): readonly [name: string, value: string] {
    const isNumber = label % 2 === 1
    const pair = Math.floor(label / 2)
    const { firsts, seconds } = isNumber ? this.numberPairs : this.textPairs
    const key = firsts[pair]!
    return [
      strings.get(key),
      isNumber ? this.numberText(key, seconds[pair]!, strings) : strings.get(seconds[pair]!),
    ]
  }

  private numberText(key: number, index: number, strings: PprofStrings): string {
    return `${this.numbers[index]} ${strings.get(this.units.get(key) ?? 0)}`.trimEnd()
  }

  /** Names in order of appearance, the heaviest values first, weighed by one sample type. */
  summarize(strings: PprofStrings, sampleTypeIndex: number, warnings: string[]): LabelSummary[] {
    for (const [index, carried] of this.carried.entries()) {
      this.count(carried, this.carriedSums, index * (this.typeCount + 1))
    }
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
    collect(this.numberPairs, (key, index) => this.numberText(key, index, strings))
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
    if (this.surplusCount > 0) {
      warnings.push(
        `Samples with more than ${limits.labelsPerSample} labels: ${this.surplusCount} labels were not counted.`,
      )
    }
    return [...byName.values()]
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
