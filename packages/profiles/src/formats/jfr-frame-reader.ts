import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import type { JfrCursor } from './jfr-cursor.ts'
import type { JfrFrames } from './jfr-frames.ts'
import type { JfrClass, JfrMetadata, JfrStep } from './jfr-metadata.ts'
import type { JfrMethods } from './jfr-methods.ts'
import { JfrRecord } from './jfr-record.ts'

/** What is read of a frame. */
const wanted = ['method', 'lineNumber', 'type']

/**
 * Reads the frames of stack traces of a chunk. A recording may have millions, of a few thousand different ones, so nothing is
 * made per frame: their integers go into columns, and which frame they are is looked up by the id of the method and the line.
 */
export class JfrFrameReader {
  /** Of the stack trace read last: numbers of `JfrFrames`, innermost first. */
  stack = new Int32Array(256)
  depth = 0
  private readonly frames: JfrFrames
  private readonly methods: JfrMethods
  private readonly record: JfrRecord
  /** Frames have nothing but integers, as those of all that write recordings today. */
  private readonly arePlain: boolean
  /** How many integers of a frame are in the columns, and which of them are wanted. */
  private readonly width: number
  private readonly methodAt: number
  private readonly lineAt: number
  private readonly typeAt: number
  private lows = new Int32Array(1024)
  private highs = new Int32Array(1024)
  /** (Method, line). */
  private readonly known = new PairTable({
    valueWidth: 0,
    maxCount: limits.tableEntries,
    overflow: () => new FormatError('there are too many frames', { format: 'jfr' }),
  })
  /** Of each of these, the number of the frame. */
  private readonly knownFrames: number[] = []

  constructor(frames: JfrFrames, methods: JfrMethods, metadata: JfrMetadata, frameClass: JfrClass) {
    this.frames = frames
    this.methods = methods
    this.record = new JfrRecord(metadata, frameClass, wanted)
    const names = frameClass.fields.map(({ name }) => name)
    const areIntegers = frameClass.fields.every((field) => isInteger(metadata.stepsOfField(field)))
    this.arePlain = areIntegers && wanted.every((name) => names.includes(name))
    const columns = this.arePlain ? names : wanted
    this.width = columns.length
    const [methodAt = 0, lineAt = 0, typeAt = 0] = wanted.map((name) => columns.indexOf(name))
    this.methodAt = methodAt
    this.lineAt = lineAt
    this.typeAt = typeAt
  }

  /** Reads the frames at the cursor, their number first. */
  read(cursor: JfrCursor): void {
    const count = cursor.readCount()
    if (count > limits.nodes) cursor.fail(`a stack of ${count} frames is too deep`)
    this.makeRoom(count)
    if (this.arePlain) cursor.readIntegers(count * this.width, this.lows, this.highs)
    else this.readRecords(cursor, count)
    for (let index = 0; index < count; index++) this.stack[index] = this.frameAt(index * this.width)
    this.depth = count
  }

  private frameAt(at: number): number {
    const { lows, highs, known, methods } = this
    const low = lows[at + this.methodAt]!
    const high = highs[at + this.methodAt]!
    // -1 where it is not known.
    const line = Math.max(0, lows[at + this.lineAt]!)
    // Nearly all ids have few bits; methods of others go by their numbers, below 0, so that the two cannot meet.
    const method = high === 0 && low >= 0 ? low : -1 - methods.find(low, high)
    const before = known.count
    const entry = known.intern(method, line)
    if (entry < before) return this.knownFrames[entry]!
    const found = method < 0 ? -1 - method : methods.find(low, high)
    const functionIndex = methods.functionIndex(found, lows[at + this.typeAt]!, highs[at + this.typeAt]!)
    const frame = this.frames.frame(functionIndex, line)
    this.knownFrames[entry] = frame
    return frame
  }

  private readRecords(cursor: JfrCursor, count: number): void {
    const { record, width, lows, highs } = this
    for (let index = 0; index < count; index++) {
      record.read(cursor)
      record.skipRest(cursor)
      for (let slot = 0; slot < width; slot++) {
        // -1 is no id and no line.
        const isMissing = record.fields[slot] === undefined
        lows[index * width + slot] = isMissing ? -1 : record.lows[slot]!
        highs[index * width + slot] = isMissing ? -1 : record.highs[slot]!
      }
    }
  }

  private makeRoom(count: number): void {
    if (count > this.stack.length) this.stack = new Int32Array(count * 2)
    if (count * this.width <= this.lows.length) return
    this.lows = new Int32Array(count * this.width * 2)
    this.highs = new Int32Array(count * this.width * 2)
  }
}

function isInteger([step, ...others]: JfrStep[]): boolean {
  return step?.kind === 'integers' && step.count === 1 && others.length === 0
}
