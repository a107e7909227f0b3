import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import { checkpointType, type JfrChunk } from './jfr-chunk.ts'
import { JfrCursor } from './jfr-cursor.ts'
import { skipSteps, type JfrClass, type JfrField, type JfrMetadata } from './jfr-metadata.ts'
import { JfrRecord } from './jfr-record.ts'

/** A text may be pooled and that again; real ones are once. */
const maxTextDepth = 8

const tooMany = () =>
  new FormatError(`more than ${limits.tableEntries} constants of a class`, { format: 'jfr' })

/** The constants of one class by number: 1 is the first. */
export class JfrPool {
  readonly jfrClass: JfrClass
  private readonly ids: PairTable
  private positions = new Int32Array(64)

  constructor(jfrClass: JfrClass) {
    this.jfrClass = jfrClass
    this.ids = new PairTable({
      valueWidth: 0,
      maxCount: limits.tableEntries,
      overflow: tooMany,
      capacity: 64,
    })
  }

  /** One more than the number of constants. */
  get count(): number {
    return this.ids.count
  }

  /** An id that is known already stays where it was. */
  add(low: number, high: number, position: number): void {
    const before = this.ids.count
    const entry = this.ids.intern(low, high)
    if (entry !== before) return
    if (entry >= this.positions.length) {
      const positions = new Int32Array(this.positions.length * 2)
      positions.set(this.positions)
      this.positions = positions
    }
    this.positions[entry] = position
  }

  /** The number of the constant of an id, or 0. */
  find(low: number, high: number): number {
    return this.ids.find(low, high)
  }

  /** As `find`, for the id in a slot of a record; 0 where its class does not have the field. */
  findOf(record: JfrRecord, slot: number): number {
    return record.fields[slot] === undefined ? 0 : this.ids.find(record.lows[slot]!, record.highs[slot]!)
  }

  position(entry: number): number {
    return this.positions[entry]!
  }
}

/**
 * The constants of a chunk: stack traces, methods, classes, symbols, threads and so on, per class a pool. First it is only
 * looked up where each is; most of a recording's constants are never asked for.
 */
export class JfrConstants {
  readonly metadata: JfrMetadata
  private readonly bytes: Uint8Array
  private readonly chunk: JfrChunk
  private readonly pools = new Map<number, JfrPool>()
  private readonly poolsByName = new Map<string, JfrPool>()
  private readonly texts = new Map<JfrPool, (string | undefined)[]>()
  private textDepth = 0

  constructor(bytes: Uint8Array, chunk: JfrChunk, metadata: JfrMetadata) {
    this.bytes = bytes
    this.chunk = chunk
    this.metadata = metadata
    for (const position of chunk.checkpoints) this.readCheckpoint(position)
  }

  /** By the name of the class; undefined when there are no constants of it. */
  pool(className: string): JfrPool | undefined {
    return this.poolsByName.get(className)
  }

  poolOf(field: JfrField | undefined): JfrPool | undefined {
    return field === undefined ? undefined : this.pools.get(field.classId)
  }

  /** Reads some fields of the constants of a pool. */
  record(pool: JfrPool, wanted: readonly string[]): { read(entry: number): JfrRecord } {
    const record = new JfrRecord(this.metadata, pool.jfrClass, wanted)
    const cursor = new JfrCursor(this.bytes)
    const pooled = () => this.pooledString(cursor)
    return {
      read: (entry) => {
        cursor.position = pool.position(entry)
        cursor.end = this.chunk.end
        record.read(cursor, pooled)
        return record
      },
    }
  }

  /** The text that a field of a record stands for: its own, or that of the constant. */
  text(record: JfrRecord, slot: number): string | undefined {
    const own = record.strings[slot]
    const pool = this.poolOf(record.fields[slot])
    if (own !== undefined || pool === undefined) return own
    return this.textOf(pool, pool.findOf(record, slot))
  }

  /** The text of a constant that is one: a string, a symbol, or the name of a state, a type, a cause and so on. */
  textOf(pool: JfrPool, entry: number): string | undefined {
    if (entry === 0) return undefined
    const texts = this.texts.get(pool) ?? []
    this.texts.set(pool, texts)
    if (!(entry in texts)) texts[entry] = this.readText(pool, entry)
    return texts[entry]
  }

  /** The pooled string whose id the cursor read last. */
  pooledString(cursor: JfrCursor): string | undefined {
    const pool = this.pool('java.lang.String')
    return pool && this.textOf(pool, pool.find(cursor.low, cursor.high))
  }

  private readText(pool: JfrPool, entry: number): string | undefined {
    const cursor = new JfrCursor(this.bytes, pool.position(entry), this.chunk.end)
    const steps = this.metadata.stepsOf(pool.jfrClass.id)
    const [first] = pool.jfrClass.fields
    if (++this.textDepth > maxTextDepth) cursor.fail('texts are chained in a circle')
    let text: string | undefined
    if (steps[0]?.kind === 'string') text = cursor.readString(() => this.pooledString(cursor))
    else if (first?.isPooled === true && !first.isArray) {
      cursor.readInteger()
      const inner = this.poolOf(first)
      text = inner && this.textOf(inner, inner.find(cursor.low, cursor.high))
    }
    this.textDepth--
    return text
  }

  private readCheckpoint(start: number): void {
    const { bytes, chunk } = this
    const cursor = new JfrCursor(bytes, start, chunk.end)
    const size = cursor.readLong()
    if (size <= 0 || size > chunk.end - start) cursor.fail('constants go beyond their part', start)
    cursor.end = start + size
    if (cursor.readLong() !== checkpointType) cursor.fail('constants should be here', start)
    cursor.skipIntegers(3)
    cursor.skipBytes(1)
    for (let left = cursor.readCount(2); left > 0; left--) this.readPool(cursor)
  }

  private readPool(cursor: JfrCursor): void {
    const start = cursor.position
    const classId = cursor.readLong()
    const jfrClass = this.metadata.find(classId)
    if (jfrClass === undefined)
      cursor.fail(`constants of class ${classId}, which the metadata does not know`, start)
    let pool = this.pools.get(classId)
    if (pool === undefined) {
      pool = new JfrPool(jfrClass)
      this.pools.set(classId, pool)
      this.poolsByName.set(jfrClass.name, pool)
    }
    const steps = this.metadata.stepsOf(classId)
    for (let left = cursor.readCount(); left > 0; left--) {
      cursor.readInteger()
      const { low, high, position } = cursor
      skipSteps(cursor, steps)
      pool.add(low, high, position)
    }
  }
}
