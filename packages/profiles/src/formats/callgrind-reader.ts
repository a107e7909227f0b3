import { CallGraph } from '../call-graph.ts'
import { FormatError } from '../format-error.ts'
import { toLine, type FunctionInterner } from '../function-interner.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import { ByteNames } from './byte-names.ts'
import {
  asterisk,
  beginsCosts,
  carriageReturn,
  closeParenthesis,
  colon,
  equals,
  hash,
  hexDigit,
  isDigit,
  isLetter,
  isLineEnd,
  isWordEnd,
  keys,
  letterX,
  longestKey,
  minus,
  newline,
  openParenthesis,
  plus,
  question,
  space,
  tab,
  withLetter,
  withNewlineAtEnd,
  zero,
} from './callgrind-bytes.ts'
import { eventNames, type CallgrindTypes } from './callgrind-events.ts'
import { NumberedNames } from './callgrind-names.ts'
import { quote } from './text.ts'

/** One dump of costs. A file has several where the program asked for them, or threads were kept apart. */
export interface CallgrindPart {
  graph: CallGraph
  /** Why it was written: `Program termination`, `Client Request: <what the program called it>`; '' when not told. */
  trigger: string
  /** Number of the thread; '' when threads were not kept apart. */
  thread: string
  /** Per sample type, what the part says that its lines add up to; absent when it does not say. */
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

/** Of the file, for a line of the source with costs, more or less. */
const bytesPerLine = 512

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
 * Most lines are costs, of the same function and often of the same line of its source as the line before. They are read in a
 * loop of their own, which adds each cost where it belongs as soon as it is read, and makes no strings or objects. What is
 * seldom asked for is worked out when it is: the number of a line that cannot be read, and events that are sums of others.
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
  private readonly files = new NumberedNames()
  private readonly objects = new NumberedNames()
  private readonly functionNames = new NumberedNames()
  private readonly about: CallgrindAbout = { creator: '', warnings: [] }
  /** Where the line that is read begins. */
  private lineStart = 0
  private strangeLineCount = 0
  private firstStrangeLine = 0
  /** Per sample type, how many costs were less than nothing. */
  private readonly negativeCounts: number[]

  // The part that is open.
  private part: CallgrindPart | undefined
  private hasBody = false
  private trigger = ''
  private thread = ''
  private positionCount = 1
  private linePosition = 0
  /** Per cost of a line, its sample type. An event that is named twice has both costs. */
  private columns = new Int32Array(0)

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
  /** Where in the graph the calls are that stand for the inlining; -1 when it was not. */
  private inlining = -1
  private line = 0
  /** Row of the graph for the function, and the line that it is of; NaN for none. */
  private row = 0
  private lineOfRow = NaN

  // The call that the next line has the costs of.
  private calledObject = 0
  private calledFile = 0
  private hasCalledObject = false
  private hasCalledFile = false
  private callee = -1
  private callCount = -1
  /** Where in the graph its costs belong; the row of the line where it was made is -1 for none. */
  private calls = 0
  private calledRow = -1

  constructor(
    bytes: Uint8Array,
    about: { types: CallgrindTypes; functions: FunctionInterner; onPart: (part: CallgrindPart) => void },
  ) {
    this.bytes = withNewlineAtEnd(bytes)
    this.types = about.types
    this.functions = about.functions
    this.negativeCounts = this.types.sampleTypes.map(() => 0)
    this.onPart = about.onPart
    this.names = new ByteNames(this.bytes, 'callgrind')
    const maxCount = limits.tableEntries
    const overflow = () => new FormatError(`more than ${maxCount} functions`, { format: 'callgrind' })
    this.functionIds = new PairTable({ valueWidth: 1, maxCount, overflow })
  }

  read(): CallgrindAbout {
    const { bytes } = this
    for (let at = 0; at < bytes.length;) {
      this.lineStart = at
      while (bytes[at] === space || bytes[at] === tab) at++
      if (beginsCosts(bytes[at]!)) {
        at = this.readCosts(at)
        continue
      }
      const start = at
      while (bytes[at] !== newline) at++
      const end = bytes[at - 1] === carriageReturn ? at - 1 : at
      if (end > start && bytes[start] !== hash) this.readSpecification(start, end)
      at++
    }
    this.finishPart()
    if (this.strangeLineCount > 0) {
      this.about.warnings.push(
        `${this.strangeLineCount} lines are of no known kind and were left out; the first is line ${this.firstStrangeLine}.`,
      )
    }
    for (const [index, count] of this.negativeCounts.entries()) {
      if (count === 0) continue
      const { type } = this.types.sampleTypes[index]!
      this.about.warnings.push(`${count} negative costs of ${type} count as 0.`)
    }
    return this.about
  }

  /**
   * `16 400 0 3`, `+3 * 5`: positions, then costs, of which zeros at the end are left out. Reads such lines as long as they
   * follow each other, and gives where the next line begins.
   */
  private readCosts(start: number): number {
    const { bytes, columns, positionCount, linePosition } = this
    const part = this.openPart()
    const { graph } = part
    let { line, row } = this
    let lineOfRow = this.isMoved ? NaN : this.lineOfRow
    let isCall = this.callCount >= 0
    let { ownValues, callValues } = graph
    let lineStart = start
    let at = start
    for (;;) {
      for (let position = 0; position < positionCount; position++) {
        if (position !== linePosition) while (!isWordEnd(bytes[at]!)) at++
        else {
          // `12`, or, from the line before, `+3`, `-3`, `*`; or `0x1f`, `+0x2`.
          const sign = bytes[at]!
          if (sign === plus || sign === minus || sign === asterisk) at++
          const digits = at
          let value = 0
          if (bytes[at] === zero && (bytes[at + 1]! | 0x20) === letterX) {
            for (let digit = hexDigit(bytes[(at += 2)]!); digit >= 0; digit = hexDigit(bytes[++at]!))
              value = value * 16 + digit
          } else {
            for (let digit = bytes[at]! - zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - zero)
              value = value * 10 + digit
          }
          if (!isWordEnd(bytes[at]!) || (at === digits) !== (sign === asterisk))
            this.fail('expected a line number', lineStart)
          if (sign === plus) line += value
          else if (sign === minus) line -= value
          else if (sign !== asterisk) line = value
        }
        while (bytes[at] === space || bytes[at] === tab) at++
      }
      // A jump is followed by where it was made, which is no more than a position.
      if (isCall || !isLineEnd(bytes[at]!)) {
        part.costLineCount++
        if (isCall || line !== lineOfRow) {
          if (this.isMoved) this.enterFunction(graph)
          if (isCall) this.enterCall(part, line)
          else {
            row = graph.row(this.current, toLine(line))
            lineOfRow = line
          }
          ownValues = graph.ownValues
          callValues = graph.callValues
        }
        const { inlining, calls, calledRow } = this
        for (let index = 0; !isLineEnd(bytes[at]!); index++) {
          if (index === columns.length) this.failTooManyCosts(lineStart)
          let cost = 0
          const wordStart = at
          for (let digit = bytes[at]! - zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - zero)
            cost = cost * 10 + digit
          if (at === wordStart || !isWordEnd(bytes[at]!)) at = this.passNegative(wordStart, index, lineStart)
          const column = columns[index]!
          if (!isCall) ownValues[row + column]! += cost
          else {
            callValues[calls + column]! += cost
            if (calledRow >= 0) ownValues[calledRow + column]! += cost
          }
          if (inlining >= 0) callValues[inlining + column]! += cost
          while (bytes[at] === space || bytes[at] === tab) at++
        }
        isCall = false
      }
      while (bytes[at] !== newline) at++
      lineStart = ++at
      if (at === bytes.length) break
      while (bytes[at] === space || bytes[at] === tab) at++
      if (!beginsCosts(bytes[at]!)) break
    }
    this.line = line
    this.row = row
    this.lineOfRow = lineOfRow
    return lineStart
  }

  /** `-3560`: memory that was given back, as Xdebug counts it. A tree has no place for less than nothing. */
  private passNegative(start: number, index: number, lineStart: number): number {
    const { bytes } = this
    let at = start + 1
    while (isDigit(bytes[at]!)) at++
    if (bytes[start] !== minus || at === start + 1 || !isWordEnd(bytes[at]!))
      this.fail('expected a number', lineStart)
    this.negativeCounts[this.columns[index]!]!++
    return at
  }

  /** Finds where the costs of the call belong: to the calls of the callee, and to the line where they were made. */
  private enterCall(part: CallgrindPart, lineNumber: number): void {
    const { graph } = part
    const { current, callee, callCount } = this
    const line = toLine(lineNumber)
    this.calls = graph.addCalls(current, callee, callCount)
    // What a function calls itself for is in its own values already.
    this.calledRow = line === 0 || callee === current ? -1 : graph.calledRow(current, line)
    part.callCount += callCount
    this.callCount = -1
  }

  private enterFunction(graph: CallGraph): void {
    this.own = this.functionIndex(this.functionName, this.ownFile || this.object)
    this.current =
      this.file === this.ownFile ? this.own : this.functionIndex(this.functionName, this.file || this.object)
    // Of a function in which other code was inlined, that code is called: what it costs is known, but not how often.
    this.inlining = this.current === this.own ? -1 : graph.addCalls(this.own, this.current, 0)
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

  private readSpecification(start: number, end: number): void {
    const { bytes } = this
    let key = 0
    let keyEnd = start
    for (; keyEnd < end && isLetter(bytes[keyEnd]!); keyEnd++) key = withLetter(key, bytes[keyEnd]!)
    const value = keyEnd + 1
    if (keyEnd < end && bytes[keyEnd] === colon) this.readHeader(start, keyEnd, end)
    else if (keyEnd === end || bytes[keyEnd] !== equals || keyEnd - start > longestKey) this.noteStrangeLine()
    // Jumps within functions tell nothing of costs.
    else if (key === keys.conditionalJump || key === keys.jump) return
    else if (key === keys.calledFunction) this.nameCallee(this.readName(this.functionNames, value, end))
    else if (key === keys.calls) this.readCallCount(value, end)
    else if (key === keys.function) this.moveToFunction(value, end)
    else if (key === keys.calledFile || key === keys.calledFileOnce) {
      // `cfl=` without a name takes back the one before.
      this.hasCalledFile = this.skipSpace(value) < end
      this.calledFile = this.readName(this.files, value, end, true)
    } else if (key === keys.calledObject) {
      this.hasCalledObject = this.skipSpace(value) < end
      this.calledObject = this.readName(this.objects, value, end, true)
    } else if (key === keys.inlinedFile || key === keys.ownFile) {
      this.file = this.readName(this.files, value, end, true)
      this.isMoved = true
    } else if (key === keys.file) this.moveToFile(value, end)
    else if (key === keys.object) {
      this.object = this.readName(this.objects, value, end, true)
      this.isMoved = true
    }
    // Names that are given with jumps may be used again.
    else if (key === keys.jumpFile) this.readName(this.files, value, end, true)
    else if (key === keys.jumpFunction) this.readName(this.functionNames, value, end)
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
    if (this.callCount > Number.MAX_SAFE_INTEGER) this.fail('more calls than anybody can count')
  }

  /**
   * `name`, `(12) name` for a name that may be called 12 from now on, `(12)` for one that was.
   *
   * @param mayBeUnknown `???` is no name: it says that there is none
   */
  private readName(known: NumberedNames, start: number, end: number, mayBeUnknown = false): number {
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
      known.name(id, name)
      return name
    }
    return known.find(id) ?? this.fail(`the name (${id}) is not given before it is used`)
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

  private readHeader(start: number, keyEnd: number, end: number): void {
    const [key, value] = [this.textAt(start, keyEnd), this.textAt(keyEnd + 1, end).trim()]
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
    this.isMoved = true
    const { sampleTypes, partCount } = this.types
    const likelySize = this.bytes.length / partCount / bytesPerLine
    this.part = {
      graph: new CallGraph({ format: 'callgrind', sampleTypeCount: sampleTypes.length, likelySize }),
      trigger: this.trigger,
      thread: this.thread,
      totals: undefined,
      costLineCount: 0,
      callCount: 0,
    }
  }

  private readTotals(value: string): Float64Array {
    const words = value.split(/\s+/)
    const totals = new Float64Array(this.types.sampleTypes.length)
    const { columns } = this
    if (words.length > columns.length) this.failTooManyCosts()
    for (const [index, word] of words.entries()) {
      if (!/^-?\d+$/.test(word)) this.fail(`expected a number, found ${quote(word)}`)
      totals[columns[index]!]! += Number(word) * this.types.unitFactors[columns[index]!]!
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
    if (part === undefined) return
    for (const [column, factor] of this.types.unitFactors.entries())
      if (factor !== 1) part.graph.addSum({ column, terms: [{ column, factor: factor - 1 }] })
    for (const sum of this.types.sums) part.graph.addSum(sum)
    this.onPart(part)
  }

  private noteStrangeLine(): void {
    if (this.strangeLineCount++ === 0) this.firstStrangeLine = this.lineNumber()
  }

  private skipSpace(start: number): number {
    let at = start
    while (this.bytes[at] === space || this.bytes[at] === tab) at++
    return at
  }

  private textAt(start: number, end: number): string {
    return new TextDecoder().decode(this.bytes.subarray(start, end))
  }

  private lineNumber(lineStart = this.lineStart): number {
    let count = 1
    for (let at = 0; at < lineStart; at++) if (this.bytes[at] === newline) count++
    return count
  }

  private failTooManyCosts(lineStart = this.lineStart): never {
    this.fail(`more than ${this.columns.length} costs, one for each event`, lineStart)
  }

  private fail(message: string, lineStart = this.lineStart): never {
    throw new FormatError(message, { format: 'callgrind', where: `line ${this.lineNumber(lineStart)}` })
  }
}
