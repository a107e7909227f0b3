import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult, Environment } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { isGoTestJson, joinGoTestOutput } from '../go/test-json.ts'
import { wallTime } from '../measure.ts'
import type { Measure } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import { quote } from '../quote.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import { median } from '../statistics/describe-rounds.ts'
import type { WarningList } from '../warning-list.ts'

export const goBench = adapter({
  name: 'go_bench',
  title: 'go test -bench',
  readers: [
    textReader(isGoTestJson, (text, warnings) =>
      readGoBench(joinGoTestOutput(text), warnings.within('the joined output')),
    ),
    textReader(isGoBench, readGoBench),
  ],
})

/** "Benchmark" and then no lower-case letter, as the format has it: "Benchmarking 3 files" is a log line. */
const BENCHMARK_LINE = /^Benchmark(?![a-z])\S*/
const CONFIGURATION_LINE = /^([a-z][^\sA-Z:]*):[ \t]+(.*)$/
const DIVIDING_LINE = /^(PASS|ok\s|\?\s|FAIL\b|exit status|coverage:|testing:|=== )/
const TIME_UNIT = 'ns/op'
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
const NO_NUMBER = /^(NaN|[+-]Inf)$/

function isGoBench(text: string): boolean {
  return /^Benchmark(?![a-z])\S*[ \t]+\d+[ \t]+\S+[ \t]+\S/m.test(text) || /^(goos|goarch|pkg): /m.test(text)
}

/** One result line: `BenchmarkJoin/words=10-2  250624  84.30 ns/op  64 B/op  1 allocs/op`. */
interface Measurement {
  package: string | undefined
  /** With its `-N` suffix. */
  fullName: string
  lineNumber: number
  iterations: number
  /** Unit to value, in the order of the line. */
  values: Map<string, number>
}

/**
 * Reads `go test -bench` text. The uri is `package::BenchmarkName/sub`; lines of the same name (`-count`) are rounds.
 * @see https://go.dev/design/14313-benchmark-format
 */
function readGoBench(text: string, warnings: WarningList): Reading {
  const environment: Environment = {}
  const measurements: Measurement[] = []
  let currentPackage: string | undefined
  let isGoOutput = false
  let isEnded = false
  for (const { line, lineNumber } of numberedLines(text)) {
    if (line.trim() === '') continue
    const configuration = CONFIGURATION_LINE.exec(line)
    if (BENCHMARK_LINE.test(line)) {
      isGoOutput = true
      const measurement = readMeasurement(line, lineNumber, currentPackage, warnings)
      if (measurement) measurements.push(measurement)
      isEnded = false
    } else if (DIVIDING_LINE.test(line)) {
      if (/^(FAIL|exit status)/.test(line)) warnings.add(lineNumber, `the tests failed: ${quote(line)}.`)
      // Packages follow each other; the next one may have no `pkg:` line.
      if (/^(ok|FAIL)\s/.test(line)) currentPackage = undefined
      isEnded = true
    } else if (configuration) {
      const [, key = '', value = ''] = configuration
      if (key === 'pkg') currentPackage = value.trim()
      else takeConfiguration(environment, { key, value: value.trim(), lineNumber }, warnings)
    } else {
      warnings.add(lineNumber, `no benchmark line, ignored: ${quote(line)}.`)
    }
  }
  if (!isGoOutput && Object.keys(environment).length === 0) {
    throw new FormatError('There is no line of `go test -bench` in the file', 1)
  }
  if (!isEnded)
    warnings.add('the end', 'there is no PASS, ok or FAIL after the last benchmark; the file may be cut.')
  return collectResults(measurements, environment, warnings)
}

function takeConfiguration(
  environment: Environment,
  { key, value, lineNumber }: { key: string; value: string; lineNumber: number },
  warnings: WarningList,
): void {
  if (key !== 'goos' && key !== 'goarch' && key !== 'cpu') {
    warnings.add(lineNumber, `unknown setting, ignored: ${quote(`${key}: ${value}`)}.`)
  } else if (environment[key] === undefined) {
    environment[key] = value
  } else if (environment[key] !== value) {
    warnings.add(lineNumber, `${key} changes to ${quote(value)} within the file; the first one is kept.`)
  }
}

function readMeasurement(
  line: string,
  lineNumber: number,
  currentPackage: string | undefined,
  warnings: WarningList,
): Measurement | undefined {
  const [fullName = '', iterations, ...pairs] = line.trim().split(/\s+/)
  // With -v the name stands alone on a line before the one with the result.
  if (iterations === undefined) return undefined
  const values = /^\d+$/.test(iterations) ? readValues(pairs, lineNumber, warnings) : undefined
  // What a benchmark prints itself comes between its name and its result.
  if (values === undefined) {
    warnings.add(lineNumber, `no result, ignored: ${quote(line)}.`)
    return undefined
  }
  return { package: currentPackage, fullName, lineNumber, iterations: Number(iterations), values }
}

/** `84.30 ns/op  64 B/op`; undefined when it is something else, or cut. */
function readValues(
  pairs: string[],
  lineNumber: number,
  warnings: WarningList,
): Map<string, number> | undefined {
  if (pairs.length % 2 !== 0) return undefined
  const values = new Map<string, number>()
  for (let at = 0; at < pairs.length; at += 2) {
    const [value = '', unit = ''] = pairs.slice(at, at + 2)
    if (NO_NUMBER.test(value)) {
      warnings.add(lineNumber, `${value} of ${quote(unit)} is left out.`)
      continue
    }
    if (!NUMBER.test(value)) return undefined
    if (values.has(unit)) warnings.add(lineNumber, `${quote(unit)} is there twice; the last one is taken.`)
    values.set(unit, Number(value))
  }
  const nsPerOp = values.get(TIME_UNIT) ?? 0
  return values.size > 0 && nsPerOp >= 0 && Number.isFinite(nsPerOp) ? values : undefined
}

function collectResults(
  measurements: Measurement[],
  environment: Environment,
  warnings: WarningList,
): Reading {
  const ambiguous = ambiguousNames(measurements)
  const named = measurements.map((measurement) => ({
    ...measurement,
    name: stableName(measurement, ambiguous),
  }))
  const groups = Map.groupBy(named, (measurement) => joinUri(measurement.package, measurement.name))
  const processors = new Set(measurements.map(({ fullName }) => splitProcessors(fullName).processors))
  const [gomaxprocs] = processors
  const isUniform = processors.size === 1 && gomaxprocs !== undefined && ambiguous.size === 0
  return {
    environment: { ...environment, runtime: 'go', ...(isUniform && { gomaxprocs }) },
    results: [...groups].map(([uri, rounds]) => groupResult(uri, rounds, warnings)),
  }
}

/** Without the `-N` suffix, so that a machine with more processors still measures the same benchmark. */
function stableName({ package: own, fullName }: Measurement, ambiguous: Set<string>): string {
  const { name } = splitProcessors(fullName)
  return [name, fullName].some((candidate) => ambiguous.has(joinUri(own, candidate))) ? fullName : name
}

/**
 * Names that several lines could have, with `-cpu 1,2` or where names end in a number themselves: without its `-1`,
 * "size-10" is also what is left of "size-10-2". The suffix is part of what they are.
 */
function ambiguousNames(measurements: Measurement[]): Set<string> {
  const fullNames = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const { package: own, fullName } of measurements) {
    for (const name of [splitProcessors(fullName).name, fullName]) {
      const key = joinUri(own, name)
      if ((fullNames.get(key) ?? fullName) !== fullName) ambiguous.add(key)
      fullNames.set(key, fullName)
    }
  }
  return ambiguous
}

/** `BenchmarkX-8` ran with GOMAXPROCS=8; without a suffix it was 1. */
function splitProcessors(fullName: string): { name: string; processors?: string } {
  const match = /^(.+)-(\d+)$/.exec(fullName)
  return match ? { name: match[1] ?? fullName, processors: match[2] } : { name: fullName }
}

function joinUri(packageName: string | undefined, name: string): string {
  return packageName === undefined ? name : `${packageName}::${name}`
}

/** Without ns/op, which a benchmark leaves out by reporting 0 of them, its first unit is the value. */
function groupResult(
  uri: string,
  rounds: (Measurement & { name: string })[],
  warnings: WarningList,
): BenchmarkResult {
  const [first] = rounds
  const units = new Set(rounds.flatMap(({ values }) => [...values.keys()]))
  const [firstUnit = TIME_UNIT] = units
  const unit = units.has(TIME_UNIT) ? TIME_UNIT : firstUnit
  units.delete(unit)
  const measured = rounds.filter(({ values }) => values.has(unit))
  if (measured.length < rounds.length) {
    warnings.add(
      uri,
      `${rounds.length - measured.length} of its ${rounds.length} lines have no ${quote(unit)}.`,
    )
  }
  return resultFromRounds({
    uri,
    name: first?.name ?? uri,
    roundValues: valuesOf(unit, measured),
    stats: {
      iterationsPerRound: median(measured.map(({ iterations }) => iterations)),
      ...(unit === TIME_UNIT && { totalTimeMs: totalTimeMs(measured) }),
    },
    metrics: [...units].map((other) => unitMetric(other, rounds)),
    measure: unit === TIME_UNIT ? wallTime : unitMeasure(unit, first?.lineNumber ?? uri, warnings),
  })
}

function totalTimeMs(rounds: Measurement[]): number {
  return (
    rounds.reduce((sum, { iterations, values }) => sum + iterations * (values.get(TIME_UNIT) ?? 0), 0) / 1e6
  )
}

function valuesOf(unit: string, rounds: Measurement[]): number[] {
  return rounds.flatMap(({ values }) => values.get(unit) ?? [])
}

function unitMeasure(unit: string, place: number | string, warnings: WarningList): Measure {
  const betterWhen = betterByUnit(unit)
  if (betterWhen === undefined) {
    warnings.add(place, `nobody knows which way ${quote(unit)} is better; it is taken for better when lower.`)
  }
  return { instrument: 'custom', metric: unit, unit, betterWhen: betterWhen ?? 'lower' }
}

/** The median over the rounds. */
function unitMetric(unit: string, rounds: Measurement[]): BenchmarkMetric {
  const betterWhen = betterByUnit(unit)
  return { name: unit, value: median(valuesOf(unit, rounds)), unit, ...(betterWhen && { betterWhen }) }
}

/** What is counted per second should be high; the units of the tool itself are known. */
function betterByUnit(unit: string): 'lower' | 'higher' | undefined {
  if (unit.endsWith('/s')) return 'higher'
  return unit === 'B/op' || unit === 'allocs/op' ? 'lower' : undefined
}
