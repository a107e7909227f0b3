import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { SampleType } from '../profile.ts'

/** The sample types of a file, and how they come from the events of its lines. */
export interface CallgrindTypes {
  sampleTypes: SampleType[]
  /** Per sample type, how many of its unit a cost is: Xdebug counts in 10 nanoseconds. */
  unitFactors: number[]
  /** Of events that lines have costs of. */
  columns: ReadonlyMap<string, number>
  /** Sums of those: in the order in which they can be worked out. */
  sums: readonly WeightedSum[]
  /** Ir, or else the first. */
  defaultSampleTypeIndex: number
  /** Each part has a line of its own that says what it counts. */
  partCount: number
}

export interface WeightedSum {
  column: number
  terms: readonly { column: number; factor: number }[]
}

/** Far longer than any that names 64 events. */
const eventLineBytes = 64 * 1024
const newline = 0x0a
const letterE = 0x65
const timeUnits: Readonly<Record<string, string>> = {
  ns: 'nanoseconds',
  us: 'microseconds',
  ms: 'milliseconds',
}
/** Xdebug says the unit in the name: `Time_(10ns)`, `Memory_(bytes)`. */
const nameWithUnit = /^(.+)_\((\d{0,6})(ns|[uµ]s|ms|bytes)\)$/

/**
 * One cycle for the first cache, 5 for the last one, 35 for memory, as iai and gungraun estimate: L1 hits are
 * Ir + Dr + Dw − L1 misses, LL hits are L1 misses − LL misses, and the rest are of memory. It is not the time that CodSpeed
 * shows, whose model is its own.
 * https://pythonspeed.com/articles/consistent-benchmarking-in-ci/
 */
const estimatedCycles = {
  sampleType: { type: 'iai_estimated_cycles', unit: 'cycles' },
  factors: { Ir: 1, Dr: 1, Dw: 1, I1mr: 4, D1mr: 4, D1mw: 4, ILmr: 30, DLmr: 30, DLmw: 30 },
}

/**
 * Finds all `events:` and `event:` lines. Parts may count different events: a type is there when any of them counts it.
 *
 *     event: Sum = Ir + 2 Dr : an event that is worked out
 *     event: sysTime : sysTime (elapsed ns)
 *     events: Ir Dr sysTime
 */
export function callgrindTypes(bytes: Uint8Array, warnings: string[]): CallgrindTypes {
  const columns = new Map<string, number>()
  const units = new Map<string, string>()
  const definitions = new Map<string, string>()
  const seen = new Set<string>()
  let partCount = 0
  for (const line of eventLines(bytes)) {
    if (line.startsWith('events:')) partCount++
    if (seen.has(line)) continue
    seen.add(line)
    const [, names] = /^events:(.*)$/.exec(line) ?? []
    for (const name of eventNames(names ?? '')) if (!columns.has(name)) columns.set(name, columns.size)
    const [, name, expression, about = ''] = /^event:\s*(\w+)\s*(?:=([^:]*))?(?::(.*))?$/.exec(line) ?? []
    if (name === undefined) continue
    const unit = unitIn(about)
    if (unit !== undefined) units.set(name, unit)
    if (expression !== undefined) definitions.set(name, expression)
  }
  if (columns.size === 0) throw new FormatError('there is no line "events:"', { format: 'callgrind' })
  const sampleTypes: SampleType[] = []
  const unitFactors: number[] = []
  for (const name of columns.keys()) {
    const [, type = name, factor = '', unit = ''] = nameWithUnit.exec(name) ?? []
    const isOwn = type !== name && !columns.has(type) && !sampleTypes.some((other) => other.type === type)
    sampleTypes.push(
      isOwn
        ? { type, unit: timeUnits[unit.replace('µ', 'u')] ?? unit }
        : { type: name, unit: units.get(name) ?? 'count' },
    )
    unitFactors.push(isOwn ? Number(factor) || 1 : 1)
  }
  const sums: WeightedSum[] = []
  const known = new Map(columns)
  for (const [name, expression] of definitions) {
    if (known.has(name)) continue
    const terms = termsOf(expression, known)
    if (terms === undefined) {
      warnings.push(`The event ${name} cannot be worked out from those that are counted, and was left out.`)
      continue
    }
    const column = sampleTypes.push({ type: name, unit: units.get(name) ?? 'count' }) - 1
    known.set(name, column)
    sums.push({ column, terms })
  }
  const factors = Object.entries(estimatedCycles.factors)
  if (factors.every(([event]) => columns.has(event))) {
    const column = sampleTypes.push({ ...estimatedCycles.sampleType }) - 1
    sums.push({ column, terms: factors.map(([event, factor]) => ({ column: columns.get(event)!, factor })) })
  }
  if (sampleTypes.length > limits.sampleTypes) {
    throw new FormatError(`more than ${limits.sampleTypes} events`, { format: 'callgrind' })
  }
  return {
    sampleTypes,
    unitFactors,
    columns,
    sums,
    defaultSampleTypeIndex: columns.get('Ir') ?? 0,
    partCount,
  }
}

/** `sysTime (elapsed ns)`, or `Nanoseconds`, as pyprof2calltree writes; undefined where it says no unit. */
function unitIn(about: string): string | undefined {
  const word = about.trim().toLowerCase()
  if (Object.values(timeUnits).includes(word)) return word
  return timeUnits[/\b(ns|us|ms)\)\s*$/.exec(about)?.[1] ?? '']
}

/** `Ir Dr Dw`. */
export function eventNames(value: string): string[] {
  return value.split(/\s+/).filter((name) => name !== '')
}

/** Undefined when it is not a sum of events that are known: `Ir + 10 I1mr + 2 * Dr`. */
function termsOf(expression: string, known: ReadonlyMap<string, number>): WeightedSum['terms'] | undefined {
  const terms: { column: number; factor: number }[] = []
  for (const term of expression.split('+')) {
    const [, factor = '1', name = ''] = /^\s*(?:(\d+)\s*\*?)?\s*([A-Za-z]\w*)\s*$/.exec(term) ?? []
    const column = known.get(name)
    if (column === undefined) return undefined
    terms.push({ column, factor: Number(factor) })
  }
  return terms
}

/** The first line, and those that begin with `event`, found without looking at the others. */
function* eventLines(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let start = 0, end; start !== -1; start = nextEventLine(buffer, end)) {
    const newlineAt = buffer.indexOf('\n', start)
    end = newlineAt === -1 ? buffer.length : newlineAt
    const line = buffer.toString('utf8', start, Math.min(end, start + eventLineBytes)).trim()
    if (line.startsWith('event')) yield line
  }
}

/** Where the next line begins that begins with `event`; -1 for nowhere. Its `v` is what other lines have least. */
function nextEventLine(buffer: Buffer, from: number): number {
  let at = from
  do {
    at = buffer.indexOf('vent', at + 1)
  } while (at !== -1 && !(buffer[at - 2] === newline && buffer[at - 1] === letterE))
  return at === -1 ? -1 : at - 1
}
