import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { ByteNames } from './byte-names.ts'

/** Events in the order of the file, as columns. */
export interface MemtrackEvents {
  count: number
  /** What was asked for, such as `Malloc`, as an index of `types`. */
  typeIndexes: Int32Array
  types: readonly string[]
  pids: Float64Array
  tids: Float64Array
  /** Of the monotonic clock. */
  timesNs: Float64Array
  addresses: Float64Array
  /** 0 when memory is given back. */
  sizes: Float64Array
  /** Where the block was before `Realloc`; -1 when it was not or, in old versions, is not told. */
  oldAddresses: Float64Array
  /** The file ends within an event. */
  isCut: boolean
}

const numberFields = ['pid', 'tid', 'timestamp', 'addr', 'size', 'old_addr'] as const
const neededFields = ['pid', 'tid', 'timestamp', 'addr', 'type']
/** An event has seven members; what has more is none. */
const membersMax = 16

/** Whether bytes begin with an event. */
export function isMemtrackEvent(content: Uint8Array): boolean {
  try {
    return readMemtrackEvents(content, 1).count === 1
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return false
  }
}

/** Reads msgpack maps that follow each other, up to `maxCount`. @throws FormatError when one of them is no event */
export function readMemtrackEvents(
  content: Uint8Array,
  maxCount: number = limits.tableEntries,
): MemtrackEvents {
  const reader = new MsgpackReader(content)
  const rows = new EventRows()
  let isCut = false
  while (!reader.isAtEnd && rows.count < maxCount) {
    if (!reader.readEvent(rows)) {
      isCut = true
      break
    }
  }
  if (!reader.isAtEnd && !isCut && maxCount > 1) {
    throw new FormatError(`more than ${maxCount} events`, { format: 'memtrack', where: `byte ${reader.at}` })
  }
  return rows.finish(isCut)
}

class EventRows {
  count = 0
  private readonly typeIndexes = new Map<string, number>()
  private typeColumn = new Int32Array(1024)
  private columns = numberFields.map(() => new Float64Array(1024))

  add(type: string, values: Float64Array): void {
    if (this.count === this.typeColumn.length) this.grow()
    const known = this.typeIndexes.get(type)
    if (known === undefined) this.typeIndexes.set(type, this.typeIndexes.size)
    this.typeColumn[this.count] = known ?? this.typeIndexes.size - 1
    for (const [field, column] of this.columns.entries()) column[this.count] = values[field]!
    this.count++
  }

  finish(isCut: boolean): MemtrackEvents {
    const [pids, tids, timesNs, addresses, sizes, oldAddresses] = this.columns
    return {
      count: this.count,
      typeIndexes: this.typeColumn,
      types: [...this.typeIndexes.keys()],
      pids: pids!,
      tids: tids!,
      timesNs: timesNs!,
      addresses: addresses!,
      sizes: sizes!,
      oldAddresses: oldAddresses!,
      isCut,
    }
  }

  private grow(): void {
    const types = new Int32Array(this.count * 2)
    types.set(this.typeColumn)
    this.typeColumn = types
    this.columns = this.columns.map((column) => {
      const grown = new Float64Array(this.count * 2)
      grown.set(column)
      return grown
    })
  }
}

/** As much of msgpack as events are made of: maps of text to numbers and texts. https://github.com/msgpack/msgpack/blob/master/spec.md */
class MsgpackReader {
  at = 0
  private readonly content: Uint8Array
  private readonly view: DataView
  private readonly names: ByteNames
  private readonly values = new Float64Array(numberFields.length)
  private number = 0
  private text = ''
  private eventAt = 0

  constructor(content: Uint8Array) {
    this.content = content
    this.view = new DataView(content.buffer, content.byteOffset, content.length)
    this.names = new ByteNames(content, 'memtrack')
  }

  get isAtEnd(): boolean {
    return this.at >= this.content.length
  }

  /** False when the content ends before the event does. */
  readEvent(rows: EventRows): boolean {
    this.eventAt = this.at
    try {
      const { type, seen } = this.readMap()
      for (const field of neededFields) if (!seen.has(field)) this.fail(`expected an event with ${field}`)
      rows.add(type, this.values)
      return true
    } catch (error) {
      // How a DataView says that bytes are missing.
      if (error instanceof RangeError) return false
      throw error
    }
  }

  private readMap(): { type: string; seen: Set<string> } {
    const { values } = this
    const head = this.view.getUint8(this.at++)
    let members = head & 0x0f
    if (head === 0xde) members = this.take(2, this.view.getUint16(this.at))
    else if (head >> 4 !== 0x8) this.fail('expected an event')
    if (members > membersMax) this.fail('expected an event')
    let type = ''
    const seen = new Set<string>()
    values.fill(0)
    values[numberFields.indexOf('old_addr')] = -1
    for (let member = 0; member < members; member++) {
      if (this.readValue() !== 'text') this.fail('expected the name of a member')
      const key = this.text
      const kind = this.readValue()
      if (kind === 'nothing') continue
      seen.add(key)
      if (key === 'type') {
        if (kind !== 'text') this.fail('expected a text as type')
        type = this.text
        continue
      }
      const field = numberFields.findIndex((name) => name === key)
      if (field === -1) continue
      if (kind !== 'number' || this.number < 0) this.fail(`expected a number that is not negative as ${key}`)
      values[field] = this.number
    }
    return { type, seen }
  }

  /** Puts the value into `number` or `text`. */
  private readValue(): 'number' | 'text' | 'nothing' {
    const { view } = this
    const head = view.getUint8(this.at++)
    if (head < 0x80) return this.isNumber(head)
    if (head >= 0xe0) return this.isNumber(head - 0x100)
    if (head >> 5 === 0b101) return this.isText(head & 0x1f)
    if (head === 0xc0) return 'nothing'
    if (head === 0xc2 || head === 0xc3) return this.isNumber(head & 1)
    if (head === 0xca) return this.isNumber(this.take(4, view.getFloat32(this.at)))
    if (head === 0xcb) return this.isNumber(this.take(8, view.getFloat64(this.at)))
    if (head === 0xcc) return this.isNumber(this.take(1, view.getUint8(this.at)))
    if (head === 0xcd) return this.isNumber(this.take(2, view.getUint16(this.at)))
    if (head === 0xce) return this.isNumber(this.take(4, view.getUint32(this.at)))
    if (head === 0xcf) return this.isNumber(this.take(8, Number(view.getBigUint64(this.at))))
    if (head === 0xd0) return this.isNumber(this.take(1, view.getInt8(this.at)))
    if (head === 0xd1) return this.isNumber(this.take(2, view.getInt16(this.at)))
    if (head === 0xd2) return this.isNumber(this.take(4, view.getInt32(this.at)))
    if (head === 0xd3) return this.isNumber(this.take(8, Number(view.getBigInt64(this.at))))
    if (head === 0xd9) return this.isText(this.take(1, view.getUint8(this.at)))
    return this.fail('expected a number or a short text')
  }

  /** What was read, after the bytes that it was in. */
  private take(byteCount: number, value: number): number {
    this.at += byteCount
    return value
  }

  private isNumber(value: number): 'number' {
    this.number = Number.isFinite(value) ? value : this.fail('expected a number')
    return 'number'
  }

  private isText(byteCount: number): 'text' {
    const end = this.at + byteCount
    if (end > this.content.length) throw new RangeError('The text is cut')
    this.text = this.names.text(this.names.intern(this.at, end))
    this.at = end
    return 'text'
  }

  private fail(message: string): never {
    throw new FormatError(message, { format: 'memtrack', where: `byte ${this.eventAt}` })
  }
}
