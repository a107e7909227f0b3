import { CallGraph } from '../call-graph.ts'
import { FormatError } from '../format-error.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { internPythonFunction } from './python-function.ts'
import { PythonMarshal, type MarshalDict, type MarshalValue } from './python-marshal.ts'

const format = 'pstats'

/**
 * What Python's cProfile and profile save: `python -m cProfile -o out.pstats`, `Profile.dump_stats`, `Stats.dump_stats`; of
 * Python 2.7 to 3.14. It is a dict in the bytes of `marshal`, which are read without Python, and nothing in them is run.
 * https://docs.python.org/3/library/profile.html
 *
 *     { (file, line, name): (primitive calls, all calls, own seconds, seconds with callees,
 *                            { (file, line, name) of a caller: (all calls, primitive calls, own, with callees) }) }
 *
 * Times become nanoseconds: Python's floats, rounded to the nearest; they are of the clock on the wall, unless the profiler
 * was given another timer. Calls are all calls, primitive ones and those of a recursion; they are what is counted as samples.
 *
 * There are callers, but no stacks. The tree is made as told in call-graph.ts: self times are `tottime` and calls are
 * `ncalls` of `pstats`, exactly, and total times of functions are `cumtime`. What the tree has of functions that call each other in
 * a circle, as modules that import others, may be off (up to 2.5 % of everything were seen in programs that mostly import).
 */
export const pstats: Importer = {
  format,
  recognizes: ({ bytes }) => isDictOfTuples(bytes),
  read: ({ bytes }, options) => readPstats(bytes, options),
}

/** A dict whose first key is a tuple, or that is empty: neither is a way for JSON to begin. */
function isDictOfTuples(bytes: Uint8Array): boolean {
  const code = (index: number) => String.fromCharCode(bytes[index]! & 0x7f)
  if (bytes.length < 2 || code(0) !== '{') return false
  return code(1) === '(' || code(1) === ')' || (bytes.length === 2 && code(1) === '0')
}

function readPstats(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  const marshal = new PythonMarshal(bytes, format)
  const stats = dictOf(marshal.read(), 'the file')
  const builder = new ProfileBuilder({
    format,
    sampleTypes: [{ type: 'time', unit: 'nanoseconds' }],
    maxNodes,
    countsCalls: true,
  })
  const graph = new CallGraph({ format, sampleTypeCount: 1 })
  const warnings: string[] = []
  if (marshal.position < bytes.length)
    warnings.push(`${bytes.length - marshal.position} bytes after the end of the profile were not read.`)

  let negativeCount = 0
  /** @param seconds as Python's timers give them, which may go backwards by a little */
  const nanoseconds = (seconds: MarshalValue | undefined, what: string) => {
    const value = Math.round(numberOf(seconds, what) * 1e9)
    if (value < 0) negativeCount++
    return Math.max(0, value)
  }
  const functionOf = (key: MarshalValue) => {
    const [file, line, name] = tupleOf(key, 3, 'a function')
    if (typeof file !== 'string' || typeof name !== 'string' || typeof line !== 'number')
      throw new FormatError('expected a function as file, line and name', { format })
    return internPythonFunction(builder.functions, { file, line, name })
  }
  let callerCount = 0
  for (const [key, value] of stats.entries) {
    const callee = functionOf(key)
    const [, calls, ownTime, time, callersValue] = tupleOf(value, 5, 'the times of a function')
    const total = nanoseconds(time, 'a time')
    graph.addSelf(callee, [nanoseconds(ownTime, 'a time')])
    graph.addInclusive(callee, [total])
    const callers = dictOf(callersValue!, 'the callers of a function').entries
    // Shared dicts could otherwise hold a small file's reader for hours.
    callerCount += callers.length
    if (callerCount > bytes.length)
      throw new FormatError('there are more callers than the file could hold', { format })

    const fromCallers = callers.map((entry) => callsOf(entry[1]))
    const callsFromCallers = fromCallers.reduce((sum, entry) => sum + entry.calls, 0)
    for (const [index, [caller]] of callers.entries()) {
      const entry = fromCallers[index]!
      // The pure Python `profile` tells no times of callers.
      const cost =
        entry.time === undefined
          ? Math.round((total * entry.calls) / Math.max(1, callsFromCallers))
          : nanoseconds(entry.time, 'a time')
      graph.addCall({ caller: functionOf(caller), callee, calls: entry.calls }, [cost])
    }
    graph.addCallsFromOutside(callee, Math.max(0, countOf(calls) - callsFromCallers))
  }
  if (negativeCount > 0) warnings.push(`${negativeCount} times are negative and count as 0.`)
  graph.addTo(builder, { maxNodes })
  return builder.finish({ warnings })
}

/** Of a caller: (all calls, primitive calls, own time, time), or only the number of calls. */
function callsOf(value: MarshalValue): { calls: number; time?: MarshalValue } {
  if (typeof value === 'number') return { calls: countOf(value) }
  const [calls, , , time] = tupleOf(value, 4, 'the times of a caller')
  return { calls: countOf(calls), time: time! }
}

function countOf(value: MarshalValue | undefined): number {
  const count = numberOf(value, 'a number of calls')
  if (!Number.isSafeInteger(count) || count < 0)
    throw new FormatError('expected a number of calls', { format })
  return count
}

function numberOf(value: MarshalValue | undefined, what: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new FormatError(`expected ${what}`, { format })
}

function tupleOf(value: MarshalValue, size: number, what: string): readonly MarshalValue[] {
  if (Array.isArray(value) && value.length === size) return value
  throw new FormatError(`expected ${what} as ${size} values`, { format })
}

function dictOf(value: MarshalValue, what: string): MarshalDict {
  if (isDict(value)) return value
  throw new FormatError(`expected ${what} as a dict`, { format })
}

function isDict(value: MarshalValue): value is MarshalDict {
  return typeof value === 'object' && value !== null && 'entries' in value && !Array.isArray(value)
}
