import { AddressMap } from '../address-map.ts'
import { FormatError } from '../format-error.ts'
import { textLines } from './text-lines.ts'
import { v8State, type V8Code, type V8Ticks } from './v8-log-ticks.ts'

const tierOfMark: Readonly<Record<string, string>> = {
  '~': 'ignition',
  '^': 'sparkplug',
  '+': 'maglev',
  "+'": 'maglev',
  '*': 'turbofan',
  "*'": 'turbofan',
}

/** Reads the lines of a log in their order; gives warnings. */
export function readLog(bytes: Uint8Array, ticks: V8Ticks): string[] {
  const log = new LogReader(ticks)
  for (const line of textLines(bytes, 'v8_log')) log.read(line)
  return log.finish()
}

/** Keeps what code is where, as lines come. */
class LogReader {
  private readonly ticks: V8Ticks
  private readonly libraries = new AddressMap<V8Code>()
  private readonly code = new AddressMap<V8Code | 'hidden'>()
  private intervalUs = 0
  private isOld = false
  private lineNumber = 0
  private badLines = 0
  private firstBadLine = 0

  constructor(ticks: V8Ticks) {
    this.ticks = ticks
  }

  read(line: string): void {
    this.lineNumber++
    const command = line.slice(0, Math.max(0, line.indexOf(',')))
    if (command === 'tick') this.check(this.readTick(line.split(',')))
    else if (command === 'code-creation') this.check(this.readCreation(fieldsOf(line)))
    else if (command === 'code-move') this.check(this.readMove(line.split(',')))
    else if (command === 'code-delete') this.check(this.readDelete(line.split(',')))
    else if (command === 'shared-library') this.check(this.readLibrary(fieldsOf(line)))
    else if (command === 'v8-version') this.readVersion(line.split(','))
    else if (command === 'profiler') this.readProfiler(fieldsOf(line))
  }

  finish(): string[] {
    if (this.ticks.count === 0) throw new FormatError('the log holds no ticks', { format: 'v8_log' })
    this.ticks.finish(this.intervalUs)
    return this.badLines === 0
      ? []
      : [`${this.badLines} damaged lines were left out, first line ${this.firstBadLine}.`]
  }

  private check(isRead: boolean): void {
    if (isRead) return
    if (this.badLines === 0) this.firstBadLine = this.lineNumber
    this.badLines++
  }

  /** `tick, pc, microseconds, in a callback?, top of the stack or the callback, state, stack …` */
  private readTick(fields: string[]): boolean {
    const [, pc = '', time = '', inCallback = '', top = '', state = ''] = fields
    const timeUs = Number(time)
    const address = Number(pc)
    const topAddress = Number(top)
    if (fields.length < 6 || !Number.isFinite(timeUs + address + topAddress)) return false
    const stack: (V8Code | undefined)[] = []
    // The callback, not where it is just now; the script that called it is in the stack.
    this.push(stack, inCallback === '1' ? topAddress : address)
    // A function that has made no frame yet.
    if (inCallback !== '1' && isScript(this.code.at(topAddress))) this.push(stack, topAddress)
    let previous = inCallback === '1' ? topAddress : address
    for (let index = 6; index < fields.length; index++) {
      const field = fields[index]!
      // `overflow` tells of a stack that was too deep.
      if (field.startsWith('o')) continue
      const isOffset = field.startsWith('+') || field.startsWith('-')
      const frame = isOffset
        ? previous + Number(field.slice(1)) * (field.startsWith('-') ? -1 : 1)
        : Number(field)
      if (!Number.isFinite(frame)) return false
      if (isOffset) previous = frame
      this.push(stack, frame)
    }
    this.ticks.add(timeUs, v8State(Number(state), this.isOld), stack)
    return true
  }

  private push(stack: (V8Code | undefined)[], address: number): void {
    const code = this.code.at(address) ?? this.libraries.at(address)
    if (code !== 'hidden') stack.push(code)
  }

  /** `code-creation, type, kind, microseconds, start, size, name [, function, how it was compiled]`; old ones have no time. */
  private readCreation(fields: string[]): boolean {
    const at = fields[3]?.startsWith('0x') ? 3 : 4
    const type = fields[1] ?? ''
    const start = Number(fields[at])
    const size = Number(fields[at + 1])
    const name = fields[at + 2]
    if (name === undefined || !Number.isFinite(start + size)) return false
    const isScriptCode = fields.length > at + 4 && type !== 'RegExp'
    const code: V8Code = isScriptCode
      ? { kind: 'js', name, tier: tierOfMark[fields[at + 4]!] }
      : { kind: 'stub', name: `${type}: ${name}` }
    this.code.add(start, size, type === 'BytecodeHandler' ? 'hidden' : code)
    return true
  }

  private readMove([, from, to]: string[]): boolean {
    const target = Number(to)
    const moved = Number.isFinite(target) ? this.code.delete(Number(from)) : undefined
    if (moved !== undefined) this.code.add(target, moved.size, moved.value)
    return Number.isFinite(target + Number(from))
  }

  private readDelete([, start]: string[]): boolean {
    this.code.delete(Number(start))
    return Number.isFinite(Number(start))
  }

  /** `shared-library, path, start, end, slide` */
  private readLibrary([, path = '', start, end]: string[]): boolean {
    const from = Number(start)
    const size = Number(end) - from
    if (!Number.isFinite(size)) return false
    this.libraries.add(from, size, { kind: 'library', name: path })
    return true
  }

  private readVersion([, major, minor]: string[]): void {
    this.isOld = Number(major) < 6 || (Number(major) === 6 && Number(minor) < 2)
  }

  private readProfiler([, action, interval]: string[]): void {
    const intervalUs = Number(interval)
    if (action === 'begin' && intervalUs > 0 && Number.isFinite(intervalUs)) this.intervalUs = intervalUs
  }
}

function isScript(code: V8Code | 'hidden' | undefined): boolean {
  return code !== undefined && code !== 'hidden' && code.kind === 'js'
}

/** The fields of a line: since V8 6.4 with a comma as `\x2C` and such, before in quotes, where a quote is two. */
function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',').map(unescape)
  const fields: string[] = []
  for (let start = 0; start <= line.length;) {
    const end = line[start] === '"' ? quoteEnd(line, start) : commaAfter(line, start)
    const field = line.slice(start, end)
    fields.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    start = end + 1
  }
  return fields
}

function commaAfter(line: string, start: number): number {
  const comma = line.indexOf(',', start)
  return comma === -1 ? line.length : comma
}

/** After the quote that closes the one which opens there. */
function quoteEnd(line: string, start: number): number {
  let quote = line.indexOf('"', start + 1)
  while (quote !== -1 && line[quote + 1] === '"') quote = line.indexOf('"', quote + 2)
  return quote === -1 ? line.length : quote + 1
}

function unescape(field: string): string {
  if (!field.includes('\\')) return field
  return field.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(n)|(\\))/g, (_, byte, unit, newline) => {
    if (newline !== undefined) return '\n'
    const code: string | undefined = byte ?? unit
    return code === undefined ? '\\' : String.fromCharCode(parseInt(code, 16))
  })
}
