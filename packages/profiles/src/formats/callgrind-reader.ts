import { CallGraph } from '../call-graph.ts'
import { FormatError } from '../format-error.ts'
import { toLine, type FunctionInterner } from '../function-interner.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import { ByteNames } from './byte-names.ts'
import { eventNames, type CallgrindTypes } from './callgrind-events.ts'
import { quote } from './text.ts'

/** One dump of costs. A file has several where the program asked for them, or threads were kept apart. */
export interface CallgrindPart {
  graph: CallGraph
  /** Why it was written: `Program termination`, `Client Request: <what the program called it>`; '' when not told. */
  trigger: string
  /** Number of the thread; '' when threads were not kept apart. */
  thread: string
  /** Per sample type, what its lines add up to, and what the part says that they do; absent when it does not say. */
  sums: Float64Array
  totals: Float64Array | undefined
  costLineCount: number
  /** Calls in it. */
  callCount: number
}

/** What is told of the file as a whole. */
export interface CallgrindAbout {
  creator: string
  warnings: string[]
}

const tab = 0x09
const newline = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const hash = 0x23
const openParenthesis = 0x28
const closeParenthesis = 0x29
const asterisk = 0x2a
const plus = 0x2b
const minus = 0x2d
const zero = 0x30
const colon = 0x3a
const equals = 0x3d
const question = 0x3f
const letter = { b: 0x62, c: 0x63, e: 0x65, f: 0x66, i: 0x69, j: 0x6a, l: 0x6c, n: 0x6e, o: 0x6f, x: 0x78 }

const knownVersion = 1
const headerKeys = new Set([
  'version',
  'creator',
  'pid',
  'cmd',
  'part',
  'thread',
  'desc',
  'positions',
  'event',
  'events',
])
const unnamedFunction = 0

/**
 * Reads a file of callgrind, part by part, in one pass over its bytes; no part is kept.
 *
 * @throws FormatError with a line, for a newer version and for costs that cannot be read
 */
export class CallgrindReader {
  private readonly bytes: Uint8Array
  private readonly types: CallgrindTypes
  private readonly functions: FunctionInterner
  private readonly names: ByteNames
  /** Pairs of a name and a place, which is the source file or, where that is not known, the binary. */
  private readonly functionIds: PairTable
  private readonly onPart: (part: CallgrindPart) => void
  /** What `(12)` means as a file, an object, a function. */
  private readonly files = new Map<number, number>()
  private readonly objects = new Map<number, number>()
  private readonly functionNames = new Map<number, number>()
  private readonly about: CallgrindAbout = { creator: '', warnings: [] }
  private lineNumber = 0
  private strangeLineCount = 0
  private firstStrangeLine = 0

  // The part that is open.
  private part: CallgrindPart | undefined
  private hasBody = false
  private trigger = ''
  private thread = ''
  private positionCount = 1
  private linePosition = 0
  /** Per cost of a line, its sample type. */
  private columns = new Int32Array(0)
  /** Of the line that is read, per sample type. */
  private readonly costs: Float64Array

  // Where the costs of the next line belong.
  private object = 0
  private file = 0
  /** Of the function itself, when the file is that of code that was inlined into it. */
  private ownFile = 0
  private functionName = unnamedFunction
  private isMoved = true
  private current = 0
  /** The function that it was inlined into; the same when it was not. */
  private own = 0
  private line = 0

  // The call that the next line has the costs of.
  private calledObject = 0
  private calledFile = 0
  private hasCalledObject = false
  private hasCalledFile = false
  private callee = -1
  private callCount = -1

  constructor(
    bytes: Uint8Array,
    about: { types: CallgrindTypes; functions: FunctionInterner; onPart: (part: CallgrindPart) => void },
  ) {
    this.bytes = bytes
    this.types = about.types
    this.functions = about.functions
    this.onPart = about.onPart
    this.names = new ByteNames(bytes, 'callgrind')
    this.costs = new Float64Array(about.types.sampleTypes.length)
    const maxCount = limits.tableEntries
    const overflow = () => new FormatError(`more than ${maxCount} functions`, { format: 'callgrind' })
    this.functionIds = new PairTable({ valueWidth: 1, maxCount, overflow })
  }

  read(): CallgrindAbout {
    const { bytes } = this
    for (let at = 0; at < bytes.length;) {
      this.lineNumber++
      while (bytes[at] === space || bytes[at] === tab) at++
      const first = bytes[at]!
      if (isDigit(first) || first === plus || first === minus || first === asterisk) {
        at = this.readCosts(at) + 1
        continue
      }
      const newlineAt = bytes.indexOf(newline, at)
      const end = newlineAt === -1 ? bytes.length : newlineAt
      const stop = bytes[end - 1] === carriageReturn ? end - 1 : end
      if (stop > at && first !== hash) this.readSpecification(at, stop)
      at = end + 1
    }
    this.finishPart()
    if (this.strangeLineCount > 0) {
      this.about.warnings.push(
        `${this.strangeLineCount} lines are of no known kind and were left out; the first is line ${this.firstStrangeLine}.`,
      )
    }
    return this.about
  }

  /** `16 400 0 3`, `+3 * 5`: positions, then costs, of which zeros at the end are left out. Gives where the line ends. */
  private readCosts(start: number): number {
    const { bytes, columns, costs } = this
    const part = this.openPart()
    let at = start
    for (let position = 0; position < this.positionCount; position++) {
      at = position === this.linePosition ? this.readLineNumber(at) : this.skipWord(at)
      at = this.skipSpace(at)
    }
    costs.fill(0)
    let count = 0
    for (; at < bytes.length && !this.isLineEnd(at); count++) {
      if (count === columns.length) this.fail(`more than ${columns.length} costs, one for each event`)
      let value = 0
      let digit = bytes[at]! - zero
      const wordStart = at
      for (; digit >= 0 && digit <= 9; digit = bytes[++at]! - zero) value = value * 10 + digit
      if (at === wordStart || !this.isWordEnd(at)) this.fail('expected a number')
      costs[columns[count]!] = value
      at = this.skipSpace(at)
    }
    // A jump is followed by where it was made, which is no more than a position.
    if (count > 0 || this.callCount >= 0) this.addCosts(part)
    while (at < bytes.length && bytes[at] !== newline) at++
    return at
  }

  private addCosts(part: CallgrindPart): void {
    if (this.isMoved) this.enterFunction()
    const { costs, current, own, callee, callCount } = this
    const { graph, sums } = part
    for (const { column, terms } of this.types.sums) {
      for (const term of terms) costs[column]! += costs[term.column]! * term.factor
    }
    part.costLineCount++
    // Of a function in which other code was inlined, that code is called: what it costs is known, but not how often.
    if (current !== own) graph.addCall({ caller: own, callee: current, calls: 0 }, costs)
    const line = toLine(this.line)
    if (callCount >= 0) {
      graph.addCall({ caller: current, callee, calls: callCount, line }, costs)
      part.callCount += callCount
      this.callCount = -1
      return
    }
    graph.addSelf(current, costs, line)
    for (let type = 0; type < costs.length; type++) sums[type]! += costs[type]!
  }

  private enterFunction(): void {
    this.own = this.functionIndex(this.functionName, this.ownFile || this.object)
    this.current =
      this.file === this.ownFile ? this.own : this.functionIndex(this.functionName, this.file || this.object)
    this.isMoved = false
  }

  private functionIndex(name: number, place: number): number {
    const { functionIds, names } = this
    const before = functionIds.count
    const entry = functionIds.intern(name, place)
    if (entry === before) {
      functionIds.values[entry] = this.functions.intern(names.text(name) || '(unknown)', names.text(place))
    }
    return functionIds.values[entry]!
  }

  /** `12`, `0x1f`, or, from the line before, `+3`, `-3`, `*`. */
  private readLineNumber(start: number): number {
    const { bytes } = this
    const sign = bytes[start]
    if (sign === asterisk) {
      if (!this.isWordEnd(start + 1)) this.fail('expected a line number')
      return start + 1
    }
    let at = sign === plus || sign === minus ? start + 1 : start
    const digitsStart = at
    let value = 0
    if (bytes[at] === zero && (bytes[at + 1]! | 0x20) === letter.x) {
      at += 2
      for (let digit = hexDigit(bytes[at]); digit >= 0; digit = hexDigit(bytes[++at]))
        value = value * 16 + digit
    } else {
      for (let digit = bytes[at]! - zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - zero) {
        value = value * 10 + digit
      }
    }
    if (at === digitsStart || !this.isWordEnd(at)) this.fail('expected a line number')
    this.line = sign === plus ? this.line + value : sign === minus ? this.line - value : value
    return at
  }

  private readSpecification(start: number, end: number): void {
    const { bytes } = this
    const first = bytes[start]
    const second = bytes[start + 1]
    const third = bytes[start + 2]
    if (third === equals && start + 2 < end) {
      const value = start + 3
      if (first === letter.f && second === letter.n) return this.moveToFunction(value, end)
      if (first === letter.f && second === letter.l) return this.moveToFile(value, end)
      if (first === letter.f && (second === letter.i || second === letter.e)) {
        this.file = this.readName(this.files, value, end, true)
        this.isMoved = true
        return
      }
      if (first === letter.o && second === letter.b) {
        this.object = this.readName(this.objects, value, end, true)
        this.isMoved = true
        return
      }
    }
    let keyEnd = start
    while (keyEnd < end && isLetter(bytes[keyEnd]!)) keyEnd++
    const key = String.fromCharCode(...bytes.subarray(start, Math.min(keyEnd, start + 16)))
    if (bytes[keyEnd] === equals && keyEnd < end) this.readAssociation(key, keyEnd + 1, end)
    else if (bytes[keyEnd] === colon && keyEnd < end) this.readHeader(key, keyEnd + 1, end)
    else this.noteStrangeLine()
  }

  private moveToFunction(start: number, end: number): void {
    this.functionName = this.readName(this.functionNames, start, end)
    // What was inlined before was inlined into another function.
    this.file = this.ownFile
    this.isMoved = true
  }

  private moveToFile(start: number, end: number): void {
    this.ownFile = this.readName(this.files, start, end, true)
    this.file = this.ownFile
    this.isMoved = true
  }

  private readAssociation(key: string, start: number, end: number): void {
    if (key === 'cfn') this.nameCallee(this.readName(this.functionNames, start, end))
    else if (key === 'cfi' || key === 'cfl') {
      // `cfl=` without a name takes back the one before.
      this.hasCalledFile = this.skipSpace(start) < end
      this.calledFile = this.readName(this.files, start, end, true)
    } else if (key === 'cob') {
      this.hasCalledObject = this.skipSpace(start) < end
      this.calledObject = this.readName(this.objects, start, end, true)
    } else if (key === 'calls') this.readCallCount(start, end)
    // Jumps within functions tell nothing of costs, but the names that are given with them may be used again.
    else if (key === 'jfi') this.readName(this.files, start, end, true)
    else if (key === 'jfn') this.readName(this.functionNames, start, end)
    else if (key !== 'jump' && key !== 'jcnd') this.noteStrangeLine()
  }

  /** What is not said of the callee is as it is of the code that calls it, inlined or not. */
  private nameCallee(name: number): void {
    const file = this.hasCalledFile ? this.calledFile : this.file
    const object = this.hasCalledObject ? this.calledObject : this.object
    this.callee = this.functionIndex(name, file || object)
    this.hasCalledFile = false
    this.hasCalledObject = false
  }

  /** `calls=3 20`: the number of calls, and where they went. */
  private readCallCount(start: number, end: number): void {
    if (this.callee < 0) this.fail('calls= without cfn= before it')
    let at = this.skipSpace(start)
    const digitsStart = at
    this.callCount = 0
    for (; at < end && isDigit(this.bytes[at]!); at++) {
      this.callCount = this.callCount * 10 + this.bytes[at]! - zero
    }
    if (at === digitsStart) this.fail('expected a number of calls')
  }

  /**
   * `name`, `(12) name` for a name that may be called 12 from now on, `(12)` for one that was.
   *
   * @param mayBeUnknown `???` is no name: it says that there is none
   */
  private readName(known: Map<number, number>, start: number, end: number, mayBeUnknown = false): number {
    const { bytes } = this
    let at = this.skipSpace(start)
    if (bytes[at] !== openParenthesis || !isDigit(bytes[at + 1]!)) return this.nameAt(at, end, mayBeUnknown)
    let id = 0
    let idEnd = at + 1
    for (; idEnd < end && isDigit(bytes[idEnd]!); idEnd++) id = id * 10 + bytes[idEnd]! - zero
    if (bytes[idEnd] !== closeParenthesis || idEnd >= end) return this.nameAt(at, end, mayBeUnknown)
    at = this.skipSpace(idEnd + 1)
    if (at < end) {
      const name = this.nameAt(at, end, mayBeUnknown)
      known.set(id, name)
      return name
    }
    return known.get(id) ?? this.fail(`the name (${id}) is not given before it is used`)
  }

  private nameAt(start: number, end: number, mayBeUnknown: boolean): number {
    const { bytes } = this
    const isUnknown =
      end - start === 3 &&
      bytes[start] === question &&
      bytes[start + 1] === question &&
      bytes[start + 2] === question
    return isUnknown && mayBeUnknown ? 0 : this.names.intern(start, end)
  }

  private readHeader(key: string, start: number, end: number): void {
    const value = new TextDecoder().decode(this.bytes.subarray(start, end)).trim()
    if (key === 'totals') {
      this.openPart().totals = this.readTotals(value)
      return
    }
    // It may be more than the lines add up to, and is 0 where the program began to be measured later.
    if (key === 'summary') return
    if (!headerKeys.has(key)) return this.noteStrangeLine()
    if (this.hasBody || (key === 'part' && this.part !== undefined)) this.finishPart()
    if (key === 'version') this.checkVersion(value)
    else if (key === 'creator') this.about.creator = value
    else if (key === 'thread') this.thread = value
    else if (key === 'desc' && value.startsWith('Trigger:'))
      this.trigger = value.slice('Trigger:'.length).trim()
    else if (key === 'positions') this.readPositions(value)
    else if (key === 'events') this.startPart(value)
  }

  private checkVersion(version: string): void {
    if (Math.floor(Number(version)) > knownVersion || !/^\d+(\.\d+)?$/.test(version)) {
      this.fail(`version ${quote(version)} of the format; only version ${knownVersion} is read`)
    }
  }

  private readPositions(value: string): void {
    const positions = value.split(/\s+/).filter((word) => word !== '')
    this.positionCount = positions.length
    this.linePosition = positions.indexOf('line')
    if (positions.length === 0) this.fail('expected positions')
  }

  private startPart(value: string): void {
    if (this.part !== undefined) this.finishPart()
    this.columns = Int32Array.from(eventNames(value), (name) => this.types.columns.get(name)!)
    if (this.columns.length === 0) this.fail('expected the names of events')
    this.callee = -1
    this.callCount = -1
    const sampleTypeCount = this.types.sampleTypes.length
    this.part = {
      graph: new CallGraph({ format: 'callgrind', sampleTypeCount }),
      trigger: this.trigger,
      thread: this.thread,
      sums: new Float64Array(sampleTypeCount),
      totals: undefined,
      costLineCount: 0,
      callCount: 0,
    }
  }

  private readTotals(value: string): Float64Array {
    const words = value.split(/\s+/)
    const totals = new Float64Array(this.costs.length)
    const { columns } = this
    if (words.length > columns.length) this.fail(`more than ${columns.length} costs, one for each event`)
    for (const [index, word] of words.entries()) {
      if (!/^\d+$/.test(word)) this.fail(`expected a number, found ${quote(word)}`)
      totals[columns[index]!] = Number(word)
    }
    return totals
  }

  /** The part that costs, calls and totals belong to. */
  private openPart(): CallgrindPart {
    if (this.part === undefined) this.fail('expected "events:" before the first costs')
    this.hasBody = true
    return this.part
  }

  private finishPart(): void {
    const { part } = this
    this.part = undefined
    this.hasBody = false
    this.trigger = ''
    this.thread = ''
    this.positionCount = 1
    this.linePosition = 0
    this.line = 0
    if (part !== undefined) this.onPart(part)
  }

  private noteStrangeLine(): void {
    if (this.strangeLineCount++ === 0) this.firstStrangeLine = this.lineNumber
  }

  private skipSpace(start: number): number {
    let at = start
    while (this.bytes[at] === space || this.bytes[at] === tab) at++
    return at
  }

  private skipWord(start: number): number {
    let at = start
    while (!this.isWordEnd(at)) at++
    return at
  }

  private isWordEnd(at: number): boolean {
    const byte = this.bytes[at]
    return byte === space || byte === tab || byte === newline || byte === carriageReturn || byte === undefined
  }

  private isLineEnd(at: number): boolean {
    const byte = this.bytes[at]
    return byte === newline || byte === carriageReturn || byte === undefined
  }

  private fail(message: string): never {
    throw new FormatError(message, { format: 'callgrind', where: `line ${this.lineNumber}` })
  }
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= zero + 9
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

function hexDigit(byte = 0): number {
  if (isDigit(byte)) return byte - zero
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1
}
