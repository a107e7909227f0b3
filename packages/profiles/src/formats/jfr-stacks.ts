import type { JfrConstants, JfrPool } from './jfr-constants.ts'
import { JfrCursor } from './jfr-cursor.ts'
import { JfrFrameReader } from './jfr-frame-reader.ts'
import type { JfrFrames } from './jfr-frames.ts'
import { skipSteps, type JfrField, type JfrStep } from './jfr-metadata.ts'
import type { JfrMethods } from './jfr-methods.ts'
import type { JfrRecord } from './jfr-record.ts'

/** Of a stack trace that was not asked for: no place. */
const unread = -(2 ** 31)

/** The stack traces of a chunk in the tree of frames. Each is read when the first event has it. */
export class JfrStacks {
  private readonly frames: JfrFrames
  private readonly pool: JfrPool | undefined
  private readonly cursor: JfrCursor
  private readonly chunkEnd: number
  private readonly fields: { field: JfrField; steps: JfrStep[] }[] = []
  private readonly reader: JfrFrameReader | undefined
  /** Per stack trace its place, or `unread`. */
  private readonly places: Int32Array
  private readonly truncated: Uint8Array
  private isTruncated = false

  constructor(
    frames: JfrFrames,
    methods: JfrMethods,
    { constants, bytes, chunkEnd }: { constants: JfrConstants; bytes: Uint8Array; chunkEnd: number },
  ) {
    const { metadata } = constants
    this.frames = frames
    this.pool = constants.pool('jdk.types.StackTrace')
    this.cursor = new JfrCursor(bytes)
    this.chunkEnd = chunkEnd
    for (const field of this.pool?.jfrClass.fields ?? []) {
      this.fields.push({ field, steps: metadata.stepsOfField(field) })
      const frameClass = field.name === 'frames' && field.isArray ? metadata.find(field.classId) : undefined
      if (frameClass) this.reader = new JfrFrameReader(frames, methods, metadata, frameClass)
    }
    const count = this.pool?.count ?? 0
    this.places = new Int32Array(count).fill(unread)
    this.truncated = new Uint8Array(count)
  }

  /** The number of the stack trace that a slot of a record names, or 0. */
  find(record: JfrRecord, slot: number): number {
    return this.pool?.findOf(record, slot) ?? 0
  }

  /** Where in the tree of frames a stack trace ends. */
  place(stack: number): number {
    const known = this.places[stack]!
    if (known !== unread) return known
    this.read(stack)
    const place = this.reader === undefined ? 0 : this.frames.enter(this.reader.stack, this.reader.depth)
    this.places[stack] = place
    this.truncated[stack] = this.isTruncated ? 1 : 0
    return place
  }

  /** Whether outer frames are missing. Only of one whose place was asked for. */
  hasMissingFrames(stack: number): boolean {
    return this.truncated[stack] === 1
  }

  private read(stack: number): void {
    const { cursor } = this
    cursor.position = this.pool!.position(stack)
    cursor.end = this.chunkEnd
    if (this.reader) this.reader.depth = 0
    this.isTruncated = false
    for (const { field, steps } of this.fields) {
      if (field.name === 'truncated' && !field.isArray) this.isTruncated = cursor.readByte() !== 0
      else if (field.name === 'frames' && this.reader) this.reader.read(cursor)
      else skipSteps(cursor, steps)
    }
  }
}
