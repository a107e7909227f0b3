import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult, Environment } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { isGoTestJson, joinGoTestOutput } from '../go/test-json.ts'
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
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

function isGoBench(text: string): boolean {
  return /^Benchmark(?![a-z])\S*[ \t]+\d+[ \t]+\S+[ \t]+\S/m.test(text) || /^(goos|goarch|pkg): /m.test(text)
}

/** One result line: `BenchmarkJoin/words=10-2  250624  84.30 ns/op  64 B/op  1 allocs/op`. */
interface Measurement {
  package: string | undefined
  /** With its `-N` suffix. */
  fullName: string
  iterations: number
  nsPerOp: number
  /** Unit to value, without ns/op. */
  others: Map<string, number>
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
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const lineNumber = index + 1
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
  return collectResults(measurements, environment)
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
  if (!/^\d+$/.test(iterations)) {
    warnings.add(lineNumber, `no result, ignored: ${quote(line)}.`)
    return undefined
  }
  if (pairs.length === 0 || pairs.length % 2 !== 0) {
    throw new FormatError('Expected "name iterations value unit …", the line is cut', lineNumber)
  }
  const values = new Map<string, number>()
  for (let at = 0; at < pairs.length; at += 2) {
    const [value = '', unit = ''] = pairs.slice(at, at + 2)
    if (!NUMBER.test(value)) throw new FormatError(`Expected a number before ${quote(unit)}`, lineNumber)
    if (values.has(unit)) warnings.add(lineNumber, `${quote(unit)} is there twice; the last one is taken.`)
    values.set(unit, Number(value))
  }
  const nsPerOp = values.get('ns/op')
  if (nsPerOp === undefined) {
    warnings.add(lineNumber, `${quote(fullName)} has no ns/op, ignored.`)
    return undefined
  }
  if (!(nsPerOp >= 0 && Number.isFinite(nsPerOp)))
    throw new FormatError('Expected a time before ns/op', lineNumber)
  values.delete('ns/op')
  return { package: currentPackage, fullName, iterations: Number(iterations), nsPerOp, others: values }
}

function collectResults(measurements: Measurement[], environment: Environment): Reading {
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
    results: [...groups].map(([uri, rounds]) => groupResult(uri, rounds)),
  }
}

/** Without the `-N` suffix, so that a machine with more processors still measures the same benchmark. */
function stableName(measurement: Measurement, ambiguous: Set<string>): string {
  const { name } = splitProcessors(measurement.fullName)
  return ambiguous.has(joinUri(measurement.package, name)) ? measurement.fullName : name
}

/**
 * Names that come with several `-N` suffixes: `-cpu 1,2`, or names that end in a number on one processor
 * ("size-10", "size-100"). Their suffix is part of what they are.
 */
function ambiguousNames(measurements: Measurement[]): Set<string> {
  const suffixes = new Map<string, string | undefined>()
  const ambiguous = new Set<string>()
  for (const measurement of measurements) {
    const { name, processors } = splitProcessors(measurement.fullName)
    const key = joinUri(measurement.package, name)
    if (suffixes.has(key) && suffixes.get(key) !== processors) ambiguous.add(key)
    suffixes.set(key, processors)
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

function groupResult(uri: string, rounds: (Measurement & { name: string })[]): BenchmarkResult {
  const units = new Set(rounds.flatMap(({ others }) => [...others.keys()]))
  return resultFromRounds({
    uri,
    name: rounds[0]?.name ?? uri,
    roundValues: rounds.map(({ nsPerOp }) => nsPerOp),
    stats: {
      iterationsPerRound: median(rounds.map(({ iterations }) => iterations)),
      totalTimeMs: rounds.reduce((sum, { iterations, nsPerOp }) => sum + iterations * nsPerOp, 0) / 1e6,
    },
    metrics: [...units].map((unit) => unitMetric(unit, rounds)),
  })
}

/** The median over the rounds. What is counted per second should be high; the units of the tool itself are known. */
function unitMetric(unit: string, rounds: Measurement[]): BenchmarkMetric {
  const value = median(rounds.flatMap(({ others }) => others.get(unit) ?? []))
  if (unit.endsWith('/s')) return { name: unit, value, unit, betterWhen: 'higher' }
  if (unit === 'B/op' || unit === 'allocs/op') return { name: unit, value, unit, betterWhen: 'lower' }
  return { name: unit, value, unit }
}
