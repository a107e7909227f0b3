import type { Table } from '@flamegate/mcp-profiling'
import {
  CannotCompareError,
  compareProfiles,
  differentialFlameGraph,
  exportDifference,
  exportProfile,
  formatPercent,
  formatValue,
  topFunctions,
  type Normalization,
  type Profile,
} from '@flamegate/profiles'
import { UsageError } from '../../usage-error.ts'
import type { TakenProfile } from './profile-file.ts'

/** A flame graph, and the functions that it is mostly about. */
export interface FlameGraph {
  title: string
  /** What is measured, such as `cpu`. */
  sampleType: string
  /** Zooms by a click and searches in a browser; a plain picture elsewhere. */
  svg: Uint8Array
  table: Table
  notes: string[]
}

const rowsMax = 30
/** More than a screen has pixels for. */
const nodesMax = 20_000

/** One for each value that the profile has, the most important first. */
export function flameGraphs(profile: Profile, title: string): FlameGraph[] {
  const { sampleTypes, defaultSampleTypeIndex } = profile
  const indexes = sampleTypes.map((_type, index) => index)
  return indexes
    .toSorted((a, b) => Number(b === defaultSampleTypeIndex) - Number(a === defaultSampleTypeIndex))
    .map((sampleTypeIndex) => flameGraph(profile, title, sampleTypeIndex))
}

function flameGraph(profile: Profile, title: string, sampleTypeIndex: number): FlameGraph {
  const { type = '', unit = '' } = profile.sampleTypes[sampleTypeIndex] ?? {}
  const { bytes, notes } = exportProfile(profile, undefined, 'svg', { name: title, sampleTypeIndex })
  const rows = topFunctions(profile, { by: 'self', limit: rowsMax, sampleTypeIndex }).filter(
    ({ selfValue }) => selfValue !== 0,
  )
  return {
    title,
    sampleType: type,
    svg: bytes,
    notes,
    table: {
      title: 'Functions with most of their own',
      columns: ['function', 'self', 'share', 'with what it calls', 'share', 'where'],
      rows: rows.map((row) => [
        row.functionName,
        formatValue(row.selfValue, unit),
        formatPercent(row.selfPercent),
        formatValue(row.totalValue, unit),
        formatPercent(row.totalPercent),
        placeOf(row),
      ]),
    },
  }
}

/**
 * What became more and less from one profile to the other: of each call, where it is known how many there were of the
 * operations on both sides, else as shares.
 * @throws UsageError when they cannot be compared
 */
export function differenceGraph(baseline: TakenProfile, current: TakenProfile): FlameGraph {
  const calls = [baseline, current].map(({ report }) => report?.load?.ended ?? 0)
  const normalization: Normalization = calls.every((count) => count > 0)
    ? { by: 'factor', factor: (calls[0] ?? 1) / (calls[1] ?? 1) }
    : { by: 'total' }
  const comparison = comparisonOf(baseline, current, normalization)
  const { sampleType, unit, tree, functions } = comparison
  const title = `${baseline.name} → ${current.name}`
  const facts = [
    sampleType,
    normalization.by === 'total' ? 'as shares of the whole' : 'as many calls on both sides',
  ]
  const { bytes, notes } = exportDifference(differentialFlameGraph(tree, nodesMax), 'svg', {
    title,
    facts,
    unit,
  })
  return {
    title,
    sampleType,
    svg: bytes,
    notes,
    table: {
      title: 'Functions that changed most',
      columns: ['function', 'self before', 'self now', 'difference', 'sure', 'where'],
      rows: functions
        .filter(({ selfDifference }) => selfDifference !== 0)
        .map((row) => [
          row.functionName,
          formatValue(row.baseSelf, unit),
          formatValue(row.headSelf, unit),
          `${row.selfDifference > 0 ? '+' : ''}${formatValue(row.selfDifference, unit)}`,
          row.isSure === undefined ? '–' : row.isSure ? 'yes' : 'no',
          placeOf(row),
        ]),
    },
  }
}

function comparisonOf(baseline: TakenProfile, current: TakenProfile, normalization: Normalization) {
  try {
    return compareProfiles(baseline.profile, current.profile, { normalization, limit: rowsMax })
  } catch (error) {
    if (error instanceof CannotCompareError)
      throw new UsageError(`${baseline.name} and ${current.name} cannot be compared: ${error.message}.`)
    throw error
  }
}

function placeOf({ file, line }: { file: string; line: number }): string {
  return line > 0 ? `${file}:${line}` : file
}
