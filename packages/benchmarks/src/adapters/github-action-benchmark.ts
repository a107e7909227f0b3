import { adapter } from '../adapter.ts'
import type { BenchmarkResult, BenchmarkStats } from '../benchmark-result.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import type { Measure } from '../measure.ts'
import { parseJson } from '../parse-json.ts'
import { quote } from '../quote.ts'
import { jsonReader, textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { nsPerIteration, throughput } from '../throughput.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'

/** Which way is better: as the file's tool has it, or by the unit where only whoever wrote the file knows. */
type Direction = 'lower' | 'higher' | 'by unit'

/** The custom lists tell no direction: it is guessed by the unit, and a warning says so. */
export const githubActionBenchmark = adapter({
  name: 'github_action_benchmark',
  title: 'github-action-benchmark',
  readers: [
    jsonReader(isCustomList, (json, warnings) => readCustomList(json, 'by unit', warnings)),
    jsonReader(isHistory, readHistory),
    textReader(isHistoryScript, (text, warnings) => readHistory(parseHistoryScript(text), warnings)),
  ],
})

/** `tool: customSmallerIsBetter`. Never found by looking: the file is the same as the other's. */
export const githubActionBenchmarkSmaller = adapter({
  name: 'github_action_benchmark_smaller',
  title: 'github-action-benchmark, smaller is better',
  readers: [jsonReader(isCustomList, (json, warnings) => readCustomList(json, 'lower', warnings))],
})

/** `tool: customBiggerIsBetter`. */
export const githubActionBenchmarkBigger = adapter({
  name: 'github_action_benchmark_bigger',
  title: 'github-action-benchmark, bigger is better',
  readers: [jsonReader(isCustomList, (json, warnings) => readCustomList(json, 'higher', warnings))],
})

/** The tools of the action whose value is a rate of iterations. */
const RATE_TOOLS = new Set(['benchmarkjs', 'pytest'])

function isCustomList(json: JsonValue): boolean {
  return json.isListOf(isCustomItem)
}

/** JSON has null for what is no number. */
function isCustomItem(item: JsonValue): boolean {
  const { value } = item.get('value')
  return (
    typeof item.get('name').value === 'string' &&
    typeof item.get('unit').value === 'string' &&
    (typeof value === 'number' || value === null)
  )
}

/**
 * Reads [{ name, unit, value, range?, extra? }].
 * @see https://github.com/benchmark-action/github-action-benchmark#examples
 */
function readCustomList(json: JsonValue, direction: Direction, warnings: WarningList): Reading {
  const items = json.items()
  if (direction === 'by unit') {
    warnings.add(
      json.path,
      'the file does not tell which way is better: lower, but for rates and percentages. The adapters github_action_benchmark_smaller and github_action_benchmark_bigger say it.',
    )
  }
  return {
    environment: {},
    results: readItems(items, [], (unit) => customMeasure(unit, direction), warnings),
  }
}

/** The history that the action keeps, as `data.js` or, with `external-data-json-path`, as plain JSON. */
function isHistory(json: JsonValue): boolean {
  return json.get('entries').isObject && !json.get('lastUpdate').isMissing
}

const SCRIPT_START = /^\s*window\.BENCHMARK_DATA\s*=\s*/

function isHistoryScript(text: string): boolean {
  return SCRIPT_START.test(text)
}

function parseHistoryScript(text: string): JsonValue {
  return parseJson(text.replace(SCRIPT_START, '').replace(/;\s*$/, ''))
}

/** Reads { entries: { suite: [{ date, tool, benches }] } }: of each suite the newest entry is the run. */
function readHistory(history: JsonValue, warnings: WarningList): Reading {
  const entries = history.get('entries')
  const results = entries.keys().flatMap((suite) => {
    const all = entries.get(suite).items()
    const [newest] = all.toSorted((a, b) => b.get('date').amount() - a.get('date').amount())
    if (!newest) return []
    if (all.length > 1) {
      warnings.add(
        entries.get(suite).path,
        `of ${quote(suite)} the ${all.length - 1} older entries are not read.`,
      )
    }
    const tool = newest.get('tool').text()
    return readItems(newest.get('benches').items(), [suite], (unit) => toolMeasure(unit, tool), warnings)
  })
  return { environment: {}, results }
}

/** How to read the values of a unit. */
interface UnitReading {
  measure: Measure
  /** A value in our unit. */
  convert: (value: number, place: string) => number
  isRate: boolean
}

function readItems(
  items: JsonValue[],
  parents: string[],
  readUnit: (unit: string) => UnitReading,
  warnings: WarningList,
): BenchmarkResult[] {
  const explained = items.find((item) => !item.get('extra').isMissing)
  if (explained) warnings.add(explained.get('extra').path, 'texts under "extra" are not kept.')
  return items.flatMap((item) => {
    const name = item.get('name').text()
    const { measure, convert, isRate } = readUnit(item.get('unit').text())
    const value = item.get('value')
    if (!value.isAmount || (isRate && value.value === 0)) {
      const why = value.isAmount ? 'a rate of zero' : 'negative, or no number'
      warnings.add(value.path, `the value of ${quote(name)} is ${why}, ignored.`)
      return []
    }
    return [
      {
        uri: [...parents, name].join('::'),
        name,
        ...measure,
        value: convert(value.amount(), value.path),
        statistic: 'single' as const,
        stats: readRange(item, convert, warnings),
        metrics: isRate ? [throughput(value.amount())] : [],
      },
    ]
  })
}

const asItIs = (value: number) => value

function customMeasure(unit: string, direction: Direction): UnitReading {
  const factor = nsPerPrintedUnit(timePart(unit))
  if (factor !== undefined && direction !== 'higher') {
    return { measure: wallTime, convert: (value) => value * factor, isRate: false }
  }
  const betterWhen = direction === 'by unit' ? betterByUnit(unit) : direction
  const measure = { instrument: 'custom' as const, metric: 'value', unit, betterWhen }
  return { measure, convert: asItIs, isRate: false }
}

/** What the action took out of another tool's output is a time, or a rate, which of some tools is always one of iterations. */
function toolMeasure(unit: string, tool: string): UnitReading {
  if (tool === 'customBiggerIsBetter') return customMeasure(unit, 'higher')
  if (tool === 'customSmallerIsBetter') return customMeasure(unit, 'lower')
  if (!RATE_TOOLS.has(tool)) return customMeasure(unit, 'by unit')
  return { measure: wallTime, convert: nsPerIteration, isRate: true }
}

/** `ns/iter`, `us/op` → `ns`, `us`. */
function timePart(unit: string): string {
  return unit.trim().replace(/\/(iter|op|iteration|call)$/, '')
}

/** `req/s`, `ops/us`, `iter/sec`, `MB/s`, `Mbps`, `%`. */
function betterByUnit(unit: string): 'lower' | 'higher' {
  return /(\/|per )\s*([munµμ]?s|secs?|seconds?|m|min|minute|hr|day)$|bps$|^%$|^fps$/i.test(unit.trim())
    ? 'higher'
    : 'lower'
}

/** `± 20`, `3` or `5%` around the value; whatever else stands there is not kept. */
function readRange(item: JsonValue, convert: UnitReading['convert'], warnings: WarningList): BenchmarkStats {
  const range = item.get('range')
  if (range.isMissing) return {}
  const told = String(range.value)
  const [, amount, percent] =
    /^(?:±|\+[/]?-)?\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(%)?$/i.exec(told.trim()) ?? []
  if (amount === undefined) {
    warnings.add(range.path, `the range ${quote(told)} is not kept.`)
    return {}
  }
  const value = item.get('value').amount()
  const distance = percent === undefined ? Number(amount) : (value * Number(amount)) / 100
  const bounds = [value - distance, value + distance].filter((bound) => bound > 0 && Number.isFinite(bound))
  // Of a rate the higher one is the shorter time.
  const [low, high] = bounds.map((bound) => convert(bound, range.path)).toSorted((a, b) => a - b)
  return bounds.length === 2 ? { low, high } : {}
}
