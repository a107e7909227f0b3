import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { ProfileBuilder, SampleAttributes } from '../profile-builder.ts'
import type { ScriptFrame, ScriptFunctions } from '../symbols/script-functions.ts'
import type { JsonObject } from './json.ts'

/** Stacks as a table: each is a frame on top of another stack. */
export interface FirefoxStackTable {
  /** The stack below; -1 for none. Mostly, but not always, one that comes before. */
  prefixes: Int32Array
  frames: Int32Array
  frameTable: FirefoxFrameTable
}

interface FirefoxFrameTable {
  count: number
  /** What is known of the function of a frame, asked for once. */
  functionOf(frame: number): FirefoxFunction
  /** 1-based line where the function is; 0 when not known. */
  lineOf(frame: number): number
  /** The same for its column. */
  columnOf(frame: number): number
}

export interface FirefoxFunction {
  name: string
  file: string
  /** 1-based; 0 when not known. */
  startLine: number
  startColumn: number
}

/** Samples of a thread, or its allocations; the columns have the same length. */
export interface FirefoxSamples {
  /** -1 for none. */
  stacks: Int32Array
  timesMs: Float64Array
  /** 1 each when absent; of allocations, bytes. */
  weights?: Float64Array
  /** CPU time since the sample before, in the unit of the profile. */
  cpuDeltas?: Float64Array
}

export interface FirefoxThread {
  name: string
  process: string
  stackTable: FirefoxStackTable
  samples: FirefoxSamples
  /** What weights of samples are: `samples`, `tracing-ms` (how long it took) or `bytes`. */
  weightType: string
  jsAllocations?: FirefoxSamples
  /** Negative where memory was freed. */
  nativeAllocations?: FirefoxSamples
  markerCount: number
}

/** By name and id, where they are known: `GeckoMain 1234` of `Web Content 1230`. */
export function labelsOf({ name, tid, processName, processType, pid }: JsonObject): {
  name: string
  process: string
} {
  return { name: labelOf(name, tid), process: labelOf(processName || processType, pid) }
}

function labelOf(...parts: unknown[]): string {
  const known = parts.filter((part) => (typeof part === 'string' && part !== '') || typeof part === 'number')
  return known.join(' ') || '(unnamed)'
}

/** Puts the stacks of a table into a profile, each once, and shares out values by line when all were added. */
export class FirefoxStacks {
  private readonly builder: ProfileBuilder
  private readonly table: FirefoxStackTable
  private readonly typeCount: number
  /** Per stack, its node plus one; 0 when not looked up yet. */
  private readonly nodes: Int32Array
  private readonly functionIndexes: Int32Array
  private readonly scripts: ScriptFunctions
  private readonly scriptFrames = new Map<number, ScriptFrame>()
  /** Stacks that were looked up, callers first. */
  private readonly order: number[] = []
  private readonly own: Float64Array

  constructor(
    builder: ProfileBuilder,
    scripts: ScriptFunctions,
    table: FirefoxStackTable,
    typeCount: number,
  ) {
    const stackCount = table.prefixes.length
    if (stackCount * typeCount > limits.values)
      throw new FormatError(`a table of ${stackCount} stacks is too large`, { format: 'firefox' })
    this.builder = builder
    this.scripts = scripts
    this.table = table
    this.typeCount = typeCount
    this.nodes = new Int32Array(stackCount)
    this.functionIndexes = new Int32Array(table.frameTable.count)
    this.own = new Float64Array(stackCount * typeCount)
  }

  add(stack: number, values: readonly number[], attributes: SampleAttributes): void {
    this.builder.add(this.place(stack), values, attributes)
    for (let type = 0; type < this.typeCount; type++)
      this.own[stack * this.typeCount + type]! += values[type]!
  }

  addLines(): void {
    const { own, order, table, typeCount } = this
    const totals = own.slice()
    for (let index = order.length - 1; index >= 0; index--) {
      const stack = order[index]!
      const prefix = table.prefixes[stack]!
      if (prefix === -1) continue
      for (let type = 0; type < typeCount; type++)
        totals[prefix * typeCount + type]! += totals[stack * typeCount + type]!
    }
    for (const stack of order) {
      const from = stack * typeCount
      const line = this.lineOf(stack)
      const node = this.nodes[stack]! - 1
      if (line > 0 && node > 0)
        this.builder.addLine(
          node,
          line,
          totals.subarray(from, from + typeCount),
          own.subarray(from, from + typeCount),
        )
    }
  }

  private lineOf(stack: number): number {
    const frame = this.table.frames[stack]!
    const { frameTable } = this.table
    return this.scripts.lineIn(
      this.scriptFrames.get(frame),
      frameTable.lineOf(frame),
      frameTable.columnOf(frame),
    )
  }

  private place(stack: number): number {
    const { nodes, table } = this
    const pending: number[] = []
    let at = stack
    while (at !== -1 && nodes[at] === 0) {
      if (pending.length > nodes.length) {
        throw new FormatError('a stack is its own caller', { format: 'firefox', where: `stack ${at}` })
      }
      pending.push(at)
      at = table.prefixes[at]!
    }
    let node = at === -1 ? 0 : nodes[at]! - 1
    for (const next of pending.toReversed()) {
      node = this.child(node, next, table.prefixes[next] === -1)
      nodes[next] = node + 1
      this.order.push(next)
    }
    return node
  }

  private child(parent: number, stack: number, isOutermost: boolean): number {
    const frame = this.table.frames[stack]!
    if (this.functionIndexes[frame] === 0) {
      const { name, file, startLine, startColumn } = this.table.frameTable.functionOf(frame)
      // It is below every stack, and stands for no function.
      const isRoot = isOutermost && name === '(root)'
      const script: ScriptFrame = { name, file, line: startLine, column: startColumn }
      this.functionIndexes[frame] = isRoot ? -1 : this.scripts.intern(script) + 1
      if (this.scripts.hasSourceMaps) this.scriptFrames.set(frame, script)
    }
    const functionIndex = this.functionIndexes[frame]!
    return functionIndex === -1 ? parent : this.builder.child(parent, functionIndex - 1, this.lineOf(stack))
  }
}
