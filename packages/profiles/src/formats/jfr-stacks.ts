import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { ProfileBuilder } from '../profile-builder.ts'
import type { JfrConstants, JfrPool } from './jfr-constants.ts'
import { JfrCursor } from './jfr-cursor.ts'
import { skipSteps, type JfrField, type JfrStep } from './jfr-metadata.ts'
import { JfrMethods } from './jfr-methods.ts'
import { JfrRecord } from './jfr-record.ts'

/**
 * The stack traces of a chunk as paths of the call tree. Each is read when the first event has it, and once more at the end,
 * to give to the lines of its frames what all its events had.
 */
export class JfrStacks {
  private readonly builder: ProfileBuilder
  private readonly pool: JfrPool | undefined
  private readonly cursor: JfrCursor
  private readonly chunkEnd: number
  private readonly methods: JfrMethods
  private readonly fields: { field: JfrField; steps: JfrStep[] }[] = []
  private readonly frame: JfrRecord | undefined
  private readonly typeCount: number
  /** Per stack trace its last node, or -1 when it was not asked for. */
  private readonly nodes: Int32Array
  private readonly truncated: Uint8Array
  /** Per stack trace, a value per sample type. */
  private readonly totals: Float64Array
  /** The stack read last, innermost frame first. */
  private functionIndexes = new Int32Array(256)
  private lines = new Int32Array(256)
  private depth = 0
  private isTruncated = false

  constructor(
    builder: ProfileBuilder,
    constants: JfrConstants,
    { bytes, chunkEnd, typeCount }: { bytes: Uint8Array; chunkEnd: number; typeCount: number },
  ) {
    const { metadata } = constants
    this.builder = builder
    this.pool = constants.pool('jdk.types.StackTrace')
    this.cursor = new JfrCursor(bytes)
    this.chunkEnd = chunkEnd
    this.methods = new JfrMethods(constants, builder.functions)
    for (const field of this.pool?.jfrClass.fields ?? []) {
      this.fields.push({ field, steps: metadata.stepsOfField(field) })
      const frameClass = field.name === 'frames' && field.isArray ? metadata.find(field.classId) : undefined
      if (frameClass) this.frame = new JfrRecord(metadata, frameClass, ['method', 'lineNumber', 'type'])
    }
    const count = this.pool?.count ?? 0
    if (count * typeCount > limits.values)
      throw new FormatError(`${count} stack traces are too many`, { format: 'jfr' })
    this.typeCount = typeCount
    this.nodes = new Int32Array(count).fill(-1)
    this.truncated = new Uint8Array(count)
    this.totals = new Float64Array(count * typeCount)
  }

  get isEmpty(): boolean {
    return this.pool === undefined || this.pool.count === 1
  }

  /** The number of the stack trace that a slot of a record names, or 0. */
  find(record: JfrRecord, slot: number): number {
    return this.pool?.findOf(record, slot) ?? 0
  }

  /** Where in the call tree a stack trace ends. */
  node(stack: number): number {
    const known = this.nodes[stack]!
    if (known >= 0) return known
    this.read(stack)
    let node = 0
    for (let index = this.depth - 1; index >= 0; index--) {
      node = this.builder.child(node, this.functionIndexes[index]!, this.lines[index])
    }
    this.nodes[stack] = node
    this.truncated[stack] = this.isTruncated ? 1 : 0
    return node
  }

  /** Whether outer frames are missing. Only of one whose node was asked for. */
  hasMissingFrames(stack: number): boolean {
    return this.truncated[stack] === 1
  }

  addValues(stack: number, values: Float64Array): void {
    const start = stack * this.typeCount
    for (let type = 0; type < this.typeCount; type++) this.totals[start + type]! += values[type]!
  }

  /** Gives what was added to the lines. */
  finish(): void {
    for (let stack = 1; stack < this.nodes.length; stack++) {
      if (this.nodes[stack]! <= 0) continue
      this.read(stack)
      const totals = this.totals.subarray(stack * this.typeCount, (stack + 1) * this.typeCount)
      let node = 0
      for (let index = this.depth - 1; index >= 0; index--) {
        const line = this.lines[index]!
        node = this.builder.child(node, this.functionIndexes[index]!, line)
        this.builder.addLine(node, line, totals, index === 0 ? totals : undefined)
      }
    }
  }

  private read(stack: number): void {
    const { cursor } = this
    cursor.position = this.pool!.position(stack)
    cursor.end = this.chunkEnd
    this.depth = 0
    this.isTruncated = false
    for (const { field, steps } of this.fields) {
      if (field.name === 'truncated' && !field.isArray) this.isTruncated = cursor.readByte() !== 0
      else if (field.name === 'frames' && this.frame) this.readFrames(this.frame)
      else skipSteps(cursor, steps)
    }
  }

  private readFrames(frame: JfrRecord): void {
    const { cursor } = this
    const count = cursor.readCount()
    if (count > this.lines.length) {
      this.functionIndexes = new Int32Array(count * 2)
      this.lines = new Int32Array(count * 2)
    }
    for (let index = 0; index < count; index++) {
      frame.read(cursor)
      frame.skipRest(cursor)
      this.functionIndexes[index] = this.methods.functionIndex(frame, 0, 2)
      // -1 where it is not known.
      this.lines[index] = Math.max(0, frame.lows[1]!)
    }
    this.depth = count
  }
}
