import type { operations, OutputOf } from '@flamegate/contract'
import type { Profile } from '../ports/index.ts'
import { sourceLink } from './source-link.ts'
import type { CallTreeEntry, FunctionRow, GroupRow, HotPathRow } from '@flamegate/profiles'

type Analysis = OutputOf<typeof operations.analyzeProfile>
type ShareOnWire = Analysis['functions'][number]
type GroupOnWire = Analysis['groups'][number]
type EntryOnWire = OutputOf<typeof operations.getFunctionCallers>['callers'][number]

/** A function, or a place in the call tree, with its share of the profile, which has that source. */
export function shareOnWire(share: FunctionRow | CallTreeEntry, source: Profile['source']): ShareOnWire {
  const line = 'line' in share ? share.line : 0
  return {
    function_name: share.functionName,
    file: share.file === '' ? null : share.file,
    line: line > 0 ? line : null,
    origin: share.origin,
    function_url: sourceLink(source, { ...share, line }),
    ...valuesOnWire(share),
  }
}

/** A place in the call tree. */
export function entryOnWire(entry: CallTreeEntry, source: Profile['source']): EntryOnWire {
  return { ...shareOnWire(entry, source), depth: entry.depth }
}

/** A group of functions, or of samples. */
export function groupOnWire(group: GroupRow): GroupOnWire {
  return {
    name: group.name,
    ...valuesOnWire(group),
    function_count: group.functionCount,
    top_functions: group.topFunctions,
  }
}

/** A piece of a hot path; of long ones, the middle is left out. */
export function pathOnWire(row: HotPathRow): GroupOnWire {
  const { functionNames } = row
  const leftOut = functionNames.length - pathHead - pathTail
  const shown =
    leftOut <= 1
      ? functionNames
      : [...functionNames.slice(0, pathHead), `… ${leftOut} more …`, ...functionNames.slice(-pathTail)]
  return {
    name: shown.join(' → '),
    depth: row.depth,
    ...valuesOnWire(row),
    function_count: functionNames.length,
    top_functions: [],
  }
}

const pathHead = 8
const pathTail = 12

interface Values {
  selfValue: number
  selfPercent: number
  totalValue: number
  totalPercent: number
}

function valuesOnWire(values: Values) {
  return {
    self_value: values.selfValue,
    self_percent: values.selfPercent,
    total_value: values.totalValue,
    total_percent: values.totalPercent,
  }
}
