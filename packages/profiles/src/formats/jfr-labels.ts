import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import type { ProfileBuilder } from '../profile-builder.ts'
import type { LabelSet } from '../profile-detail.ts'
import type { JfrConstants, JfrPool } from './jfr-constants.ts'
import { JfrClassNames, readableClassName } from './jfr-methods.ts'
import type { JfrRecord } from './jfr-record.ts'

const tooMany = () => new FormatError('too many threads and classes', { format: 'jfr' })
/** Of names that are labels; real ones are shorter. */
const maxLabelLength = 500

/** Labels with classes take at most half of the sets that there may be, so that threads are still told apart. */
export class ClassLabels {
  /** Events whose class was not kept. */
  lostCount = 0
  private readonly known = new Set<string>()

  /** Whether there is room for these labels. */
  isKept(labels: LabelSet): boolean {
    const key = labels.join('\0')
    if (!this.known.has(key) && this.known.size >= limits.labelSets / 2) return false
    this.known.add(key)
    return true
  }
}

/**
 * Labels of the events of a chunk: `thread` and `thread_group`, `thread_kind` of virtual threads, `state` of samples of a
 * wall clock, `class` of what was allocated or waited for. Names, not ids, because ids differ from chunk to chunk.
 */
export class JfrLabels {
  private readonly builder: ProfileBuilder
  private readonly constants: JfrConstants
  private readonly classLabels: ClassLabels
  private readonly classNames: JfrClassNames
  /** The first is none. */
  private readonly states = ['']
  private readonly threadPool: JfrPool | undefined
  private readonly threads: { read(entry: number): JfrRecord } | undefined
  private readonly groups: { pool: JfrPool; names: { read(entry: number): JfrRecord } } | undefined
  /** Thread, and class or (negative) state, by their numbers. */
  private readonly pairs: PairTable
  /** Per pair. */
  private readonly sets: number[] = []
  private readonly losesClass: boolean[] = []

  constructor(builder: ProfileBuilder, constants: JfrConstants, classLabels: ClassLabels) {
    this.builder = builder
    this.constants = constants
    this.classLabels = classLabels
    this.classNames = new JfrClassNames(constants)
    this.threadPool = constants.pool('java.lang.Thread')
    this.threads =
      this.threadPool && constants.record(this.threadPool, ['osName', 'javaName', 'group', 'virtual'])
    const pool = constants.pool('jdk.types.ThreadGroup')
    this.groups = pool && { pool, names: constants.record(pool, ['name']) }
    this.pairs = new PairTable({
      valueWidth: 0,
      maxCount: limits.tableEntries,
      overflow: tooMany,
      capacity: 64,
    })
  }

  /** The set of labels for the thread that a slot of a record names. */
  ofThread(record: JfrRecord, threadSlot: number): number {
    return this.ofPair(this.findThread(record, threadSlot), 0)
  }

  /** As `ofThread`, with the class that another slot names. */
  ofClass(record: JfrRecord, threadSlot: number, classSlot: number): number {
    return this.ofPair(this.findThread(record, threadSlot), this.classNames.find(record, classSlot))
  }

  /** As `ofThread`, with a state such as `STATE_RUNNABLE`. */
  ofState(record: JfrRecord, threadSlot: number, state: string): number {
    let index = this.states.indexOf(state)
    if (index === -1) index = this.states.push(state) - 1
    return this.ofPair(this.findThread(record, threadSlot), -index)
  }

  private ofPair(thread: number, classOrState: number): number {
    const { pairs, sets, losesClass, classLabels } = this
    const pair = pairs.intern(thread, classOrState)
    if (losesClass[pair] === true) classLabels.lostCount++
    const known = sets[pair]
    if (known !== undefined) return known
    const ofThread = this.threadLabels(thread)
    const label = classOrState < 0 ? this.stateLabel(-classOrState) : this.classLabel(classOrState)
    const labels = [...ofThread, ...label]
    const isKept = label.length === 0 || classOrState < 0 || classLabels.isKept(labels)
    losesClass[pair] = !isKept
    if (!isKept) classLabels.lostCount++
    const set = this.builder.labelSet(isKept ? labels : ofThread)
    sets[pair] = set
    return set
  }

  private classLabel(entry: number): LabelSet {
    const name = readableClassName(this.classNames.name(entry)).slice(0, maxLabelLength)
    return name === '' ? [] : [['class', name]]
  }

  private stateLabel(index: number): LabelSet {
    return [['state', this.states[index]!.replace(/^STATE_/, '').slice(0, maxLabelLength)]]
  }

  private findThread(record: JfrRecord, slot: number): number {
    return this.threadPool?.findOf(record, slot) ?? 0
  }

  private threadLabels(entry: number): LabelSet {
    if (entry === 0) return []
    const thread = this.threads!.read(entry)
    const [osName, javaName] = thread.strings
    const isVirtual = thread.lows[3] !== 0
    const groupEntry = this.groups?.pool.findOf(thread, 2) ?? 0
    const group = groupEntry === 0 ? '' : this.constants.text(this.groups!.names.read(groupEntry), 0)
    // There may be millions of virtual threads, and mostly they have no names.
    const name = javaName || osName || (isVirtual ? '(unnamed virtual threads)' : '')
    const labels: [string, string][] = []
    if (name) labels.push(['thread', name.slice(0, maxLabelLength)])
    if (group) labels.push(['thread_group', group.slice(0, maxLabelLength)])
    if (isVirtual) labels.push(['thread_kind', 'virtual'])
    return labels
  }
}
