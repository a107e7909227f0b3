import { longer } from './columns.ts'
import { limits } from './limits.ts'
import { PairTable } from './pair-table.ts'
import type { LabelSet, ProfileDetail } from './profile-detail.ts'
import type { LabelSummary, ThreadSummary } from './profile.ts'
import { sortedRows, type ColumnRows, type Rows } from './sorted-rows.ts'

const isFull = () => new RangeError('The table is full: ask isFull first')
const rowsAtFirst = 1024

/** Collects, while a file is read, what its samples say beside their stacks. Nodes are the builder's until `finish`. */
export class SampleDetail {
  private readonly typeCount: number
  private readonly labelSets: LabelSet[] = [[]]
  private readonly labelSetIndexes = new Map<string, number>([['', 0]])
  private readonly sampleCounts: number[] = [0]
  private readonly labelled: PairTable
  private readonly lines: PairTable
  private times = new Float64Array(rowsAtFirst)
  private timeNodes = new Int32Array(rowsAtFirst)
  private timeLabelSets = new Int32Array(rowsAtFirst)
  private timeValues = new Float64Array(rowsAtFirst)
  private timeCount = 0
  private unlabelledCount = 0
  private untimedCount = 0
  private unplacedCount = 0

  constructor(typeCount: number) {
    this.typeCount = typeCount
    this.labelled = tableOf(typeCount)
    this.lines = tableOf(2 * typeCount)
  }

  /** The index of a set of labels, new or known; 0 for none, and when there are too many to tell apart. */
  labelSet(labels: LabelSet): number {
    const key = labels.map(([name, value]) => `${name}\0${value}`).join('\0\0')
    const known = this.labelSetIndexes.get(key)
    if (known !== undefined) return known
    if (this.labelSets.length >= limits.labelSets) {
      this.unlabelledCount++
      return 0
    }
    const index = this.labelSets.push(labels) - 1
    this.sampleCounts.push(0)
    this.labelSetIndexes.set(key, index)
    return index
  }

  addLabelled(node: number, labelSet: number, values: ArrayLike<number>, sampleCount: number): void {
    this.sampleCounts[labelSet]! += sampleCount
    if (this.labelled.isFull) this.unlabelledCount++
    else addTo(this.labelled, this.labelled.intern(node, labelSet), 0, values)
  }

  addTimed(timeMs: number, node: number, labelSet: number, value: number): void {
    if (this.timeCount >= limits.timelineSamples) {
      this.untimedCount++
      return
    }
    if (this.timeCount === this.times.length) this.growTimeline()
    this.times[this.timeCount] = timeMs
    this.timeNodes[this.timeCount] = node
    this.timeLabelSets[this.timeCount] = labelSet
    this.timeValues[this.timeCount++] = value
  }

  /** What samples through a node have while it is at a line, and what of it is the node's own. */
  addLine(node: number, line: number, totals: ArrayLike<number>, own?: ArrayLike<number>): void {
    if (this.lines.isFull) {
      this.unplacedCount++
      return
    }
    const entry = this.lines.intern(node, line)
    if (own !== undefined) addTo(this.lines, entry, 0, own)
    addTo(this.lines, entry, this.typeCount, totals)
  }

  /**
   * @param positions where in the finished tree each node of the builder is
   * @param lines instead of those that were added: own values, then totals
   */
  finish(positions: Int32Array, warnings: string[], lines?: ColumnRows): ProfileDetail | undefined {
    const hasLabels = this.labelSets.length > 1
    const hasTimes = this.timeCount > 0
    const hasLines = lines === undefined ? this.lines.count > 1 : lines.firsts.length > 0
    this.warn(warnings)
    if (!hasLabels && !hasTimes && !hasLines) return undefined
    const detail: ProfileDetail = { labelSets: this.labelSets }
    if (hasLabels) detail.labelled = this.finishLabelled(positions)
    if (hasTimes) detail.timeline = this.finishTimeline(positions)
    if (hasLines)
      detail.lines = this.finishLines(lines ? placed(lines, positions) : rowsOf(this.lines, positions))
    return detail
  }

  /** Of every label, its values with what they have; the heaviest first. */
  summarizeLabels(sampleTypeIndex: number): LabelSummary[] {
    const totals = this.totalsOfLabelSets()
    const byName = new Map<string, Map<string, { value: string; sampleCount: number; weight: number }>>()
    for (const [index, labels] of this.labelSets.entries()) {
      for (const [name, value] of labels) {
        const values = byName.get(name) ?? new Map()
        byName.set(name, values)
        const row = values.get(value) ?? { value, sampleCount: 0, weight: 0 }
        values.set(value, row)
        row.sampleCount += this.sampleCounts[index]!
        row.weight += totals[index * this.typeCount + sampleTypeIndex]!
      }
    }
    return [...byName].map(([name, values]) => ({
      name,
      valueCount: values.size,
      values: [...values.values()]
        .toSorted((a, b) => b.weight - a.weight || b.sampleCount - a.sampleCount)
        .slice(0, limits.labelValuesShown),
    }))
  }

  /** The threads of the labels `process` and `thread`, in the order in which they appeared. */
  summarizeThreads(): ThreadSummary[] {
    const totals = this.totalsOfLabelSets()
    const threads = new Map<string, ThreadSummary>()
    for (const [index, labels] of this.labelSets.entries()) {
      const thread = labels.find(([name]) => name === 'thread')?.[1]
      if (thread === undefined) continue
      const process = labels.find(([name]) => name === 'process')?.[1]
      const name = process === undefined ? thread : `${process} / ${thread}`
      const summary = threads.get(name) ?? { name, totals: Array.from({ length: this.typeCount }, () => 0) }
      threads.set(name, summary)
      for (let type = 0; type < this.typeCount; type++) {
        summary.totals[type]! += totals[index * this.typeCount + type]!
      }
    }
    return [...threads.values()]
  }

  private totalsOfLabelSets(): Float64Array {
    const { labelled, typeCount } = this
    const totals = new Float64Array(this.labelSets.length * typeCount)
    for (let entry = 1; entry < labelled.count; entry++) {
      for (let type = 0; type < typeCount; type++) {
        totals[labelled.seconds[entry]! * typeCount + type]! += labelled.values[entry * typeCount + type]!
      }
    }
    return totals
  }

  private finishLabelled(positions: Int32Array): ProfileDetail['labelled'] {
    const { firsts, seconds, columns } = sortedRows(rowsOf(this.labelled, positions))
    return { nodes: firsts, labelSetIndexes: seconds, values: columns }
  }

  private finishLines(rows: Rows | ColumnRows): ProfileDetail['lines'] {
    const { firsts, seconds, columns } = sortedRows(rows)
    return {
      nodes: firsts,
      lines: seconds,
      selfValues: columns.slice(0, this.typeCount),
      totalValues: columns.slice(this.typeCount),
    }
  }

  private finishTimeline(positions: Int32Array): ProfileDetail['timeline'] {
    const asTheyCame = Uint32Array.from({ length: this.timeCount }, (_, sample) => sample)
    const order = isAscending(this.times, this.timeCount)
      ? asTheyCame
      : asTheyCame.toSorted((a, b) => this.times[a]! - this.times[b]! || a - b)
    const timeline = {
      timesMs: new Float64Array(this.timeCount),
      nodes: new Int32Array(this.timeCount),
      labelSetIndexes: new Int32Array(this.timeCount),
      values: new Float64Array(this.timeCount),
    }
    for (let index = 0; index < this.timeCount; index++) {
      const sample = order[index]!
      timeline.timesMs[index] = this.times[sample]!
      timeline.nodes[index] = positions[this.timeNodes[sample]!]!
      timeline.labelSetIndexes[index] = this.timeLabelSets[sample]!
      timeline.values[index] = this.timeValues[sample]!
    }
    return timeline
  }

  private growTimeline(): void {
    const capacity = this.times.length * 2
    this.times = longer(this.times, new Float64Array(capacity))
    this.timeNodes = longer(this.timeNodes, new Int32Array(capacity))
    this.timeLabelSets = longer(this.timeLabelSets, new Int32Array(capacity))
    this.timeValues = longer(this.timeValues, new Float64Array(capacity))
  }

  private warn(warnings: string[]): void {
    const { labelSets, timelineSamples } = limits
    if (this.unlabelledCount > 0)
      warnings.push(
        `More than ${labelSets} combinations of labels: ${this.unlabelledCount} were not told apart.`,
      )
    if (this.untimedCount > 0)
      warnings.push(`The timeline ends after ${timelineSamples} samples: ${this.untimedCount} came later.`)
    if (this.unplacedCount > 0) warnings.push(`Too many lines: ${this.unplacedCount} were not counted.`)
  }
}

function tableOf(valueWidth: number): PairTable {
  return new PairTable({ valueWidth, maxCount: Math.floor(limits.values / valueWidth), overflow: isFull })
}

function addTo(table: PairTable, entry: number, from: number, values: ArrayLike<number>): void {
  const start = entry * table.valueWidth + from
  for (let type = 0; type < values.length; type++) table.values[start + type]! += values[type]!
}

/** The entries of a table without its first one, which stands for nothing, their nodes as in the finished tree. */
function rowsOf({ count, firsts, seconds, values, valueWidth }: PairTable, positions: Int32Array): Rows {
  const rows = {
    firsts: firsts.subarray(1, count),
    seconds: seconds.subarray(1, count),
    values: values.subarray(valueWidth, count * valueWidth),
    width: valueWidth,
  }
  return placed(rows, positions)
}

/** Rows with their nodes as in the finished tree. */
function placed<R extends Rows | ColumnRows>(rows: R, positions: Int32Array): R {
  return { ...rows, firsts: rows.firsts.map((node) => positions[node]!) }
}

function isAscending(times: Float64Array, count: number): boolean {
  for (let index = 1; index < count; index++) if (times[index]! < times[index - 1]!) return false
  return true
}
