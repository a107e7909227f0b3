/** A value of a field: a number or boolean, a text, those of a class within, several of an array; or bytes as they are. */
export type JfrValue = number | bigint | boolean | string | null | JfrValue[] | { bytes: number[] }

/**
 * A chunk of a recording. Classes are fields by name: `long`, `java.lang.Thread*` for an id of a constant, `int[]` for an
 * array, `x*[]` for one of ids, and `long TICKS` for a duration in that unit.
 */
export interface JfrParts {
  classes?: Record<string, Record<string, string>>
  /** Per checkpoint, the first in the file first: constants by class and id. */
  constants?: Record<string, Record<string, JfrValue[]>>[]
  /** The class and a value per field. */
  events?: [className: string, ...JfrValue[]][]
  startNanos?: bigint
  durationNanos?: number
  startTicks?: number
  ticksPerSecond?: number
  version?: [major: number, minor: number]
  /** 0 when the chunk is finished. */
  state?: number
  flags?: number
  /** Instead of how far the checkpoint before is from each. */
  deltas?: number[]
}

/** Those that most recordings have. */
const jfrClasses: Record<string, Record<string, string>> = {
  boolean: {},
  byte: {},
  int: {},
  long: {},
  float: {},
  double: {},
  'java.lang.String': {},
  'jdk.jfr.Timespan': {},
  'jdk.types.Symbol': { string: 'java.lang.String' },
  'java.lang.Class': { classLoader: 'long', name: 'jdk.types.Symbol*' },
  'jdk.types.Method': {
    type: 'java.lang.Class*',
    name: 'jdk.types.Symbol*',
    descriptor: 'jdk.types.Symbol*',
    modifiers: 'int',
    hidden: 'boolean',
  },
  'jdk.types.FrameType': { description: 'java.lang.String' },
  'jdk.types.StackFrame': {
    method: 'jdk.types.Method*',
    lineNumber: 'int',
    bytecodeIndex: 'int',
    type: 'jdk.types.FrameType*',
  },
  'jdk.types.StackTrace': { truncated: 'boolean', frames: 'jdk.types.StackFrame[]' },
  'jdk.types.ThreadGroup': { parent: 'jdk.types.ThreadGroup*', name: 'java.lang.String' },
  'jdk.types.ThreadState': { name: 'java.lang.String' },
  'java.lang.Thread': {
    osName: 'java.lang.String',
    osThreadId: 'long',
    javaName: 'java.lang.String',
    javaThreadId: 'long',
    group: 'jdk.types.ThreadGroup*',
    virtual: 'boolean',
  },
  'jdk.ActiveSetting': { startTime: 'long', id: 'long', name: 'java.lang.String', value: 'java.lang.String' },
  'jdk.ExecutionSample': {
    startTime: 'long',
    sampledThread: 'java.lang.Thread*',
    stackTrace: 'jdk.types.StackTrace*',
    state: 'jdk.types.ThreadState*',
  },
}

const firstClassId = 20
const headerBytes = 68

/** The id of a class: they are numbered as they are listed, these after the usual ones. */
export function jfrClassId(name: string, classes: JfrParts['classes'] = {}): number {
  return firstClassId + Object.keys({ ...jfrClasses, ...classes }).indexOf(name)
}

/** Writes a chunk as it is described, right or wrong: metadata, constants, events. Chunks one after the other are a recording, too. */
export function writeJfr(parts: JfrParts): Uint8Array<ArrayBuffer> {
  const classes = { ...jfrClasses, ...parts.classes }
  const { startTicks = 0, constants = [], events = [], state = 0, flags = 1 } = parts
  const [major, minor] = parts.version ?? [2, 1]
  const writer = new JfrWriter(classes)
  const bytes = Array.from({ length: headerBytes }, () => 0)
  const metadataAt = bytes.length
  bytes.push(...sized(writer.metadata()))
  let checkpointAt = 0
  for (const [index, pools] of constants.entries()) {
    const delta = parts.deltas?.[index] ?? (checkpointAt === 0 ? 0 : checkpointAt - bytes.length)
    checkpointAt = bytes.length
    bytes.push(...sized(writer.checkpoint(pools, delta)))
  }
  for (const [name, ...values] of events) bytes.push(...sized(writer.event(name, values)))
  const header = Buffer.alloc(headerBytes)
  header.write('FLR\0', 'latin1')
  header.writeUInt16BE(major, 4)
  header.writeUInt16BE(minor, 6)
  header.writeBigInt64BE(BigInt(bytes.length), 8)
  header.writeBigInt64BE(BigInt(checkpointAt), 16)
  header.writeBigInt64BE(BigInt(metadataAt), 24)
  header.writeBigInt64BE(parts.startNanos ?? 1_700_000_000_000_000_000n, 32)
  header.writeBigInt64BE(BigInt(parts.durationNanos ?? 10_000_000_000), 40)
  header.writeBigInt64BE(BigInt(startTicks), 48)
  header.writeBigInt64BE(BigInt(parts.ticksPerSecond ?? 1_000_000_000), 56)
  header.writeUInt8(state, 64)
  header.writeUInt8(flags, 67)
  return Uint8Array.from([...header, ...bytes.slice(headerBytes)])
}

class JfrWriter {
  private readonly classes: Record<string, Record<string, string>>

  constructor(classes: Record<string, Record<string, string>>) {
    this.classes = classes
  }

  event(name: string, values: JfrValue[]): number[] {
    return [...integer(this.idOf(name)), ...this.fields(name, values)]
  }

  checkpoint(pools: Record<string, Record<string, JfrValue[]>>, delta: number): number[] {
    const written = Object.entries(pools).map(([name, entries]) => [
      ...integer(this.idOf(name)),
      ...integer(Object.keys(entries).length),
      ...Object.entries(entries).flatMap(([id, values]) => [
        ...integer(BigInt(id)),
        ...(name === 'java.lang.String' ? this.value(name, values[0]!) : this.fields(name, values)),
      ]),
    ])
    return [1, 0, 0, ...integer(delta), 1, ...integer(written.length), ...written.flat()]
  }

  metadata(): number[] {
    const strings: string[] = []
    const string = (text: string) => {
      if (!strings.includes(text)) strings.push(text)
      return integer(strings.indexOf(text))
    }
    const element = (
      name: string,
      attributes: Record<string, string>,
      children: number[][] = [],
    ): number[] => [
      ...string(name),
      ...integer(Object.keys(attributes).length),
      ...Object.entries(attributes).flatMap(([key, value]) => [...string(key), ...string(value)]),
      ...integer(children.length),
      ...children.flat(),
    ]
    const timespan = (unit: string) =>
      element('annotation', { class: `${this.idOf('jdk.jfr.Timespan')}`, value: unit })
    const field = ([name, type]: [string, string]) => {
      const [, className = '', star, brackets, unit] = /^([^ *[]+)(\*)?(\[\])?(?: (\w+))?$/.exec(type)!
      const attributes: Record<string, string> = { name, class: `${this.idOf(className)}` }
      if (star !== undefined) attributes['constantPool'] = 'true'
      if (brackets !== undefined) attributes['dimension'] = '1'
      return element('field', attributes, unit === undefined ? [] : [timespan(unit)])
    }
    const classes = Object.entries(this.classes).map(([name, fields]) =>
      element('class', { name, id: `${this.idOf(name)}` }, Object.entries(fields).map(field)),
    )
    const root = element('root', {}, [element('metadata', {}, classes), element('region', { locale: 'en' })])
    return [0, 0, 0, 0, ...integer(strings.length), ...strings.flatMap((text) => utf8(text)), ...root]
  }

  private idOf(name: string): number {
    return firstClassId + Object.keys(this.classes).indexOf(name)
  }

  private fields(name: string, values: JfrValue[]): number[] {
    return Object.values(this.classes[name] ?? {}).flatMap((type, index) =>
      this.value(type, index < values.length ? values[index]! : 0),
    )
  }

  private value(type: string, value: JfrValue): number[] {
    if (typeof value === 'object' && value !== null && 'bytes' in value) return value.bytes
    const [, name = '', brackets] = /^(.*?)(\[\])?(?: \w+)?$/.exec(type)!
    if (brackets !== undefined) {
      const elements = Array.isArray(value) ? value : []
      return [...integer(elements.length), ...elements.flatMap((each) => this.value(name, each))]
    }
    if (typeof value === 'bigint') return integer(value)
    if (name.endsWith('*')) return integer(Number(value))
    if (name === 'java.lang.String') return typeof value === 'string' ? jfrString(value) : [0]
    if (name === 'boolean' || name === 'byte') return [Number(value) & 255]
    if (name === 'float' || name === 'double') {
      const bytes = Buffer.alloc(name === 'float' ? 4 : 8)
      if (name === 'float') bytes.writeFloatBE(Number(value))
      else bytes.writeDoubleBE(Number(value))
      return [...bytes]
    }
    return Array.isArray(value) ? this.fields(name, value) : integer(Number(value))
  }
}

/** Puts the size before it, which counts itself. */
function sized(body: number[]): number[] {
  const size = body.length + 4
  return [(size & 127) | 128, ((size >> 7) & 127) | 128, ((size >> 14) & 127) | 128, size >> 21, ...body]
}

function jfrString(value: string): number[] {
  return value === '' ? [1] : utf8(value)
}

export function utf8(value: string): number[] {
  const bytes = [...new TextEncoder().encode(value)]
  return [3, ...integer(bytes.length), ...bytes]
}

/** Up to eight bytes of seven bits, the lowest first, and a ninth of eight. */
export function integer(value: number | bigint): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 127n && bytes.length < 8) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}
