import { CallGraph } from '../call-graph.ts'
import { FormatError } from '../format-error.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { internPythonFunction } from './python-function.ts'
import { textLines } from './text-lines.ts'
import { quote } from './text.ts'

const format = 'cprofile_text'
const summary = /^\s*\d+ function calls (?:\(\d+ primitive calls\) )?in (-?\d+\.\d+) (?:CPU )?seconds/
const tableHead = /^\s*ncalls\s+tottime\s+percall\s+cumtime\s+percall\s+filename:lineno\(function\)/

/**
 * The table that `python -m cProfile` and `pstats.print_stats` print, in any order of its rows, of Python 2.7 to 3.14; what the
 * profiled program itself printed before it is skipped. https://docs.python.org/3/library/profile.html#instant-user-s-manual
 *
 * The table alone says nothing of who called whom. Each function is then a root, with two sample types: `time` is `tottime`,
 * and `cumulative_time` is `cumtime`, with what the function called, so that these do not add up. When `print_callers`
 * follows ("was called by..."), there is a tree as of a `pstats` file, and only `time`.
 *
 * Times are printed in milliseconds, so all values are rounded to that. Calls are all calls (the 5 of `5/1`), and are what
 * is counted as samples. Several tables are added up.
 */
export const cprofileText: Importer = {
  format,
  recognizes: ({ head }) => {
    const lines = head.split('\n')
    return lines.some((line) => summary.test(line)) && lines.some((line) => tableHead.test(line))
  },
  read: ({ bytes }, options) => readCprofileText(bytes, options),
}

interface Row {
  calls: number
  ownTime: number
  time: number
  /** `file:line(name)` or `{name}`. */
  function: string
}

interface Tables {
  rows: Row[]
  callers: (Row & { callee: string })[]
  seconds: number
  isReduced: boolean
  hasCallees: boolean
  unreadable: { count: number; first: string }
}

function readCprofileText(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  const { rows, callers, ...about } = readTables(bytes)
  if (rows.length === 0) throw new FormatError('there is no table of functions', { format })
  const hasCallers = callers.length > 0
  const builder = new ProfileBuilder({
    format,
    sampleTypes: [
      { type: 'time', unit: 'nanoseconds' },
      ...(hasCallers ? [] : [{ type: 'cumulative_time', unit: 'nanoseconds' }]),
    ],
    maxNodes,
    countsCalls: true,
  })
  const functionOf = (text: string) => internPythonFunction(builder.functions, splitFunction(text))
  if (hasCallers) {
    const graph = new CallGraph({ format, sampleTypeCount: 1 })
    const callsFromCallers = new Map<string, number>()
    for (const { callee, calls, time, function: caller } of callers) {
      graph.addCall({ caller: functionOf(caller), callee: functionOf(callee), calls }, [time])
      callsFromCallers.set(callee, (callsFromCallers.get(callee) ?? 0) + calls)
    }
    for (const { function: name, calls, ownTime, time } of rows) {
      graph.addSelf(functionOf(name), [ownTime])
      graph.addInclusive(functionOf(name), [time])
      graph.addCallsFromOutside(functionOf(name), Math.max(0, calls - (callsFromCallers.get(name) ?? 0)))
    }
    graph.addTo(builder, { maxNodes })
  } else {
    for (const { function: name, calls, ownTime, time } of rows) {
      const node = builder.child(0, functionOf(name))
      builder.add(node, [ownTime, time], { sampleCount: calls })
      builder.addCalls(node, calls)
    }
  }
  return builder.finish({ warnings: warningsOf(rows, hasCallers, about) })
}

function readTables(bytes: Uint8Array): Tables {
  const tables: Tables = {
    rows: [],
    callers: [],
    seconds: 0,
    isReduced: false,
    hasCallees: false,
    unreadable: { count: 0, first: '' },
  }
  let section: 'none' | 'table' | 'callers' = 'none'
  let callee = ''
  const skip = (line: string) => {
    tables.unreadable.count++
    tables.unreadable.first ||= line
  }
  for (const untrimmed of textLines(bytes, format)) {
    const line = untrimmed.trimEnd()
    const seconds = summary.exec(line)?.[1]
    if (seconds !== undefined) tables.seconds += Number(seconds)
    if (line.includes('List reduced from ')) tables.isReduced = true
    if (line.endsWith(' was called by...')) section = 'callers'
    else if (/^Function .* called\.\.\.$/.test(line)) {
      section = 'none'
      tables.hasCallees = true
    } else if (tableHead.test(line)) section = 'table'
    else if (line === '') {
      if (section === 'table') section = 'none'
    } else if (section === 'table') {
      const row = readRow(line, true)
      if (row === undefined) skip(line)
      else tables.rows.push(row)
    } else if (section === 'callers' && !/^\s+ncalls\s+tottime\s+cumtime$/.test(line)) {
      const arrow = line.indexOf(' <-')
      if (arrow > 0) callee = line.slice(0, arrow).trim()
      const text = arrow < 0 ? line : line.slice(arrow + 3)
      const row = readRow(text, false)
      if (row !== undefined && callee !== '') tables.callers.push({ ...row, callee })
      else if (text.trim() !== '') skip(line)
    }
  }
  return tables
}

const nanoseconds = (seconds: string | undefined) => Math.max(0, Math.round(Number(seconds) * 1e9))

/** `5/1  0.000  0.000  0.039  0.039 work.py:1(<module>)`; without the times per call where callers are printed. */
function readRow(line: string, hasPerCall: boolean): Row | undefined {
  const pattern = hasPerCall
    ? /^\s*(\d+)(?:\/\d+)?\s+(-?\d+\.\d+)\s+(?:-?\d+\.\d+\s+)?(-?\d+\.\d+)\s+(?:-?\d+\.\d+\s+)?(\S.*)$/
    : /^\s*(\d+)(?:\/\d+)?\s+(-?\d+\.\d+)\s+(-?\d+\.\d+)\s+(\S.*)$/
  const [, calls, ownSeconds, seconds, name] = pattern.exec(line) ?? []
  if (name === undefined) return undefined
  const row = {
    calls: Number(calls),
    ownTime: nanoseconds(ownSeconds),
    time: nanoseconds(seconds),
    function: name,
  }
  return [row.calls, row.ownTime, row.time].every(Number.isSafeInteger) ? row : undefined
}

function splitFunction(text: string): { file: string; line: number; name: string } {
  // Files may hold any of these marks, names of functions do not.
  const open = text.lastIndexOf('(')
  const colon = text.lastIndexOf(':', open)
  const line = text.slice(colon + 1, open)
  if (!text.endsWith(')') || colon < 1 || !/^\d{1,9}$/.test(line)) return { file: '~', line: 0, name: text }
  return { file: text.slice(0, colon), line: Number(line), name: text.slice(open + 1, -1) }
}

function warningsOf(
  rows: Row[],
  hasCallers: boolean,
  { seconds, isReduced, hasCallees, unreadable }: Omit<Tables, 'rows' | 'callers'>,
): string[] {
  const warnings: string[] = []
  if (!hasCallers)
    warnings.push(
      'The text does not tell who called whom, so there is no tree: every function is a root. Save a file with ' +
        '"python -m cProfile -o out.pstats" instead.',
    )
  // Each row is rounded to a millisecond.
  const listed = rows.reduce((sum, { ownTime }) => sum + ownTime, 0) / 1e9
  const missing = seconds - listed
  if (isReduced || missing > 0.0005 * (rows.length + 1))
    warnings.push(
      `Functions that are not listed, and rounding, have ${Math.max(0, missing).toFixed(3)} of ${seconds.toFixed(3)} s.`,
    )
  if (hasCallees) warnings.push('The list of what functions called was left out.')
  if (unreadable.count > 0)
    warnings.push(
      `${unreadable.count} lines were not understood, the first one is ${quote(unreadable.first)}.`,
    )
  return warnings
}
