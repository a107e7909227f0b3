import { FormatError } from '../format-error.ts'
import { quote } from '../quote.ts'

/** One dump of costs; a file has several when the program asked for them (`--combine-dumps=yes`). */
export interface CallgrindPart {
  lineNumber: number
  /** Why it was written: `Program termination`, `Client Request: <what the program called it>`. */
  trigger: string
  /** Event to count, such as `Ir` to 1,203,297; absent when the part has no totals, because the file is cut. */
  totals: Map<string, number> | undefined
  /** Event to unit of time, for those events that are times. */
  timeUnits: Map<string, string>
}

export interface CallgrindFile {
  /** `callgrind-3.21.0`. */
  creator: string
  /** With its arguments, as it was started. */
  command: string
  /** `I1 cache` to `32768 B, 64 B, 8-way associative`; empty without `--cache-sim`. */
  caches: Map<string, string>
  parts: CallgrindPart[]
}

const HEADER_LINE = /^(version|creator|cmd|part|desc|event|events|summary|totals):[ \t]*(.*)$/gm
const KNOWN_VERSION = 1
/** It becomes a name, and nobody reads a longer one. */
const COMMAND_LENGTH_MAX = 1000

/**
 * Reads the head and the totals of each part of a callgrind.out file; the costs of single lines are left to profiles.
 * @throws {FormatError} with a line, for a newer version of the format and for totals that are no counts.
 * @see https://valgrind.org/docs/manual/cl-format.html
 */
export function parseCallgrind(text: string): CallgrindFile {
  const file: CallgrindFile = { creator: '', command: '', caches: new Map(), parts: [] }
  let events: string[] = []
  for (const { key, value, lineNumber } of headerLines(text)) {
    // A file of one part may leave off its number, and what describes it.
    const isOnly = (key === 'desc' || key === 'events') && file.parts.length === 0
    if (key === 'part' || isOnly) {
      file.parts.push({ lineNumber, trigger: '', totals: undefined, timeUnits: new Map() })
    }
    const part = file.parts.at(-1)
    if (key === 'version') checkVersion(value, lineNumber)
    else if (key === 'creator') file.creator = value.trim()
    else if (key === 'cmd') file.command = value.trim().slice(0, COMMAND_LENGTH_MAX)
    else if (key === 'events') events = value.trim().split(/\s+/)
    else if (key === 'desc') describePart(file, value)
    else if (key === 'event') noteTimeUnit(part, value)
    else if (key === 'totals' && part) part.totals = parseCounts(value, events, lineNumber)
    else if (key === 'summary' && part) {
      // Without instrumentation at the start it is 0, whatever was counted; the totals are at the end of the part.
      const counts = parseCounts(value, events, lineNumber)
      if ([...counts.values()].some((count) => count > 0)) part.totals = counts
    }
  }
  return file
}

interface HeaderLine {
  key: string
  value: string
  lineNumber: number
}

/** Passes over the millions of lines with costs without taking them apart. */
function* headerLines(text: string): Generator<HeaderLine> {
  let lineNumber = 1
  let counted = 0
  for (const { 1: key = '', 2: value = '', index } of text.matchAll(HEADER_LINE)) {
    for (
      let end = text.indexOf('\n', counted);
      end !== -1 && end < index;
      end = text.indexOf('\n', counted)
    ) {
      lineNumber += 1
      counted = end + 1
    }
    yield { key, value, lineNumber }
  }
}

function checkVersion(version: string, lineNumber: number): void {
  if (Number(version) !== KNOWN_VERSION) {
    throw new FormatError(`Only version ${KNOWN_VERSION} of callgrind's format is read`, lineNumber)
  }
}

/** `desc: I1 cache: 32768 B, 64 B, 8-way associative` and `desc: Trigger: Program termination`. */
function describePart(file: CallgrindFile, description: string): void {
  const [, key = '', value = ''] = /^([^:]+):[ \t]*(.*)$/.exec(description) ?? []
  const part = file.parts.at(-1)
  if (key === 'Trigger' && part) part.trigger = value.trim()
  if (/^(I1|D1|LL) cache$/.test(key) && value.trim() !== '') file.caches.set(key, value.trim())
}

/** `event: sysTime : sysTime (elapsed ns)`. */
function noteTimeUnit(part: CallgrindPart | undefined, value: string): void {
  const [, event, unit] = /^(\w+)\s*:.*\b(ns|us|ms)\)\s*$/.exec(value) ?? []
  if (event !== undefined && unit !== undefined) part?.timeUnits.set(event, unit)
}

/** Zeros at the end are left off: with 12 events `totals: 32775 4096 1` is a whole line. */
function parseCounts(value: string, events: string[], lineNumber: number): Map<string, number> {
  const counts = value.trim().split(/\s+/)
  if (counts.length > events.length) {
    throw new FormatError(`Expected at most ${events.length} counts, one for each event`, lineNumber)
  }
  return new Map(
    events.map((event, index) => {
      const count = counts[index] ?? '0'
      if (!/^\d{1,16}$/.test(count)) throw new FormatError(`${quote(count)} is no count`, lineNumber)
      return [event, Number(count)]
    }),
  )
}
