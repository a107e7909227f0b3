import { CallTreeBuilder } from './call-tree-builder.ts'
import { FormatError } from './format-error.ts'
import { FunctionInterner } from './function-interner.ts'
import { FunctionTotalsSum } from './function-totals.ts'
import type { LabelSet } from './profile-detail.ts'
import type { FunctionTotals, ImportedProfile, ProfileFormat, SampleType } from './profile.ts'
import { SampleDetail } from './sample-detail.ts'
import type { ColumnRows } from './sorted-rows.ts'

/** What a sample has beside its stack and its values. */
export interface SampleAttributes {
  /** From `labelSet`; 0, the set without labels, when absent. */
  labelSet?: number
  /** Milliseconds since the start of the profile. Any order. */
  timeMs?: number
  /** How many samples of the file this stands for; 1 when absent. */
  sampleCount?: number
}

/**
 * Puts a profile together, sample by sample, for formats that have no faster way of their own.
 *
 *     const builder = new ProfileBuilder({ format: 'perf_script', sampleTypes: [{ type: 'cycles', unit: 'count' }] })
 *     const thread = builder.labelSet([['process', 'nginx 12'], ['thread', 'worker 14']])
 *     const node = builder.child(builder.child(0, builder.functions.intern('main')), builder.functions.intern('read'))
 *     builder.add(node, [1], { labelSet: thread, timeMs: 12.5 })
 *     return builder.finish({ warnings })
 */
export class ProfileBuilder {
  readonly functions = new FunctionInterner()
  private readonly format: ProfileFormat
  private readonly sampleTypes: SampleType[]
  private readonly defaultSampleTypeIndex: number
  private readonly tree: CallTreeBuilder
  private readonly detail: SampleDetail
  private functionTotals: FunctionTotalsSum | undefined
  private hasLabels = false
  private sampleCount = 0

  constructor(options: {
    format: ProfileFormat
    sampleTypes: SampleType[]
    defaultSampleTypeIndex?: number
    maxNodes?: number
    /** The format counts calls; see `addCalls`. */
    countsCalls?: boolean
  }) {
    this.format = options.format
    this.sampleTypes = options.sampleTypes
    this.defaultSampleTypeIndex = options.defaultSampleTypeIndex ?? 0
    const sampleTypeCount = options.sampleTypes.length
    this.tree = new CallTreeBuilder({
      sampleTypeCount,
      maxNodes: options.maxNodes,
      format: options.format,
      countsCalls: options.countsCalls,
    })
    this.detail = new SampleDetail(sampleTypeCount)
  }

  /** The node of a function below a parent, new or known; 0 is the root. `line` is where in that function it is. */
  child(parent: number, functionIndex: number, line = 0): number {
    return this.tree.child(parent, functionIndex, line)
  }

  /** The index of labels that samples carry together. */
  labelSet(labels: LabelSet): number {
    if (labels.length > 0) this.hasLabels = true
    return this.detail.labelSet(labels)
  }

  /** Adds a sample, or several of the same stack: one value per sample type. */
  add(node: number, values: ArrayLike<number>, attributes: SampleAttributes = {}): void {
    const { labelSet = 0, timeMs, sampleCount = 1 } = attributes
    for (let type = 0; type < this.sampleTypes.length; type++) this.tree.add(node, type, values[type]!)
    this.sampleCount += sampleCount
    // Those without labels too, where any has some: rows of a node add up to its values.
    this.detail.addLabelled(node, labelSet, values, sampleCount)
    if (timeMs !== undefined)
      this.detail.addTimed(timeMs, node, labelSet, values[this.defaultSampleTypeIndex]!)
  }

  /**
   * As `add`, for frames that know their lines (0 where one does not): the first `depth` entries, outermost first. Gives
   * the node of the last one.
   */
  addStack(
    stack: { functionIndexes: ArrayLike<number>; lines: ArrayLike<number>; depth: number },
    values: ArrayLike<number>,
    attributes: SampleAttributes = {},
  ): number {
    let node = 0
    for (let index = 0; index < stack.depth; index++) {
      const line = stack.lines[index]!
      node = this.tree.child(node, stack.functionIndexes[index]!, line)
      const isLast = index === stack.depth - 1
      if (line > 0) this.detail.addLine(node, line, values, isLast ? values : undefined)
    }
    this.add(node, values, attributes)
    return node
  }

  /** What samples through a node have while it is at a line of its function, and what of it is the node's own. */
  addLine(node: number, line: number, totals: ArrayLike<number>, own?: ArrayLike<number>): void {
    if (line > 0) this.detail.addLine(node, line, totals, own)
  }

  /** How often the function of a node was called from its parent. */
  addCalls(node: number, count: number): void {
    this.tree.addCalls(node, count)
  }

  /**
   * Adds totals of functions, by the index of each, that a file tells better than its tree. What else is added must be told of in
   * the same way.
   */
  addFunctionTotals(functions: Int32Array, totals: FunctionTotals): void {
    this.functionTotals ??= new FunctionTotalsSum(this.sampleTypes.length)
    this.functionTotals.add(functions, totals)
  }

  /** @throws FormatError when nothing was added */
  finish(about: {
    durationMs?: number | undefined
    /** ISO 8601, UTC. */
    startedAt?: string | undefined
    warnings: string[]
    /** When it is not what was added. */
    sampleCount?: number
    /** Lines of nodes with own values, then totals, instead of those that were added. */
    lines?: ColumnRows
  }): ImportedProfile {
    const sampleCount = about.sampleCount ?? this.sampleCount
    if (sampleCount === 0) throw new FormatError('the profile holds no samples', { format: this.format })
    const { positions, ...tree } = this.tree.finish()
    const warnings = [...about.warnings]
    const detail = this.detail.finish(positions, warnings, about.lines)
    const functions = this.functions.finish()
    const functionTotals = this.functionTotals?.finish(functions.names.length, tree.selfValues)
    return {
      format: this.format,
      sampleTypes: this.sampleTypes,
      defaultSampleTypeIndex: this.defaultSampleTypeIndex,
      durationMs: about.durationMs,
      startedAt: about.startedAt,
      sampleCount,
      functions,
      ...tree,
      ...(functionTotals === undefined ? {} : { functionTotals }),
      labels: this.hasLabels ? this.detail.summarizeLabels(this.defaultSampleTypeIndex) : [],
      threads: this.hasLabels ? this.detail.summarizeThreads() : [],
      warnings,
      ...(detail === undefined ? {} : { detail }),
    }
  }
}
