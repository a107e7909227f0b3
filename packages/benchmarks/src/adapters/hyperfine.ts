import type { AdapterReading } from '../adapter-reading.ts'
import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-report.ts'
import type { JsonValue } from '../json-value.ts'
import { quote } from '../quote.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import { median } from '../statistics/describe-rounds.ts'
import type { WarningList } from '../warning-list.ts'

const NS_PER_SECOND = 1e9

export function isHyperfine(json: JsonValue): boolean {
  const results = json.get('results')
  return results.isList && results.items().every((result) => typeof result.get('command').value === 'string')
}

/**
 * Reads `hyperfine --export-json`: { results: [{ command, mean, stddev, median, min, max, user, system, times[],
 * exit_codes[], parameters?, memory_usage_byte?[] }] }, times in seconds.
 * @see https://github.com/sharkdp/hyperfine#json
 */
export function readHyperfine(json: JsonValue, warnings: WarningList): AdapterReading {
  const results = json
    .get('results')
    .items()
    .flatMap((result) => readResult(result, warnings))
  return { environment: {}, results }
}

function readResult(result: JsonValue, warnings: WarningList): BenchmarkResult[] {
  const name = `${result.get('command').text()}${readParameters(result.get('parameters'))}`
  warnAboutExitCodes(result.get('exit_codes'), name, warnings)
  const metrics = [...readCpuTimes(result), ...readMemory(result.get('memory_usage_byte'))]
  const uri = `hyperfine::${name}`
  const times = result.get('times')
  if (times.isList && times.items().length > 0) {
    const seconds = times.amounts()
    const totalTimeMs = seconds.reduce((sum, time) => sum + time, 0) * 1000
    const roundsNs = seconds.map((time) => time * NS_PER_SECOND)
    return [resultFromRounds({ uri, name, roundsNs, stats: { iterationsPerRound: 1, totalTimeMs }, metrics })]
  }
  warnings.add(times.path, `${quote(name)} has no single times; its summary is taken.`)
  return [readSummary(result, { uri, name, metrics })]
}

function readSummary(
  result: JsonValue,
  known: { uri: string; name: string; metrics: BenchmarkMetric[] },
): BenchmarkResult {
  const medianNs = nanoseconds(result.get('median'))
  const meanNs = result.get('mean').amount() * NS_PER_SECOND
  return {
    ...known,
    instrument: 'walltime',
    value: medianNs ?? meanNs,
    unit: 'ns',
    statistic: medianNs === undefined ? 'mean' : 'median',
    stats: {
      meanNs,
      medianNs,
      minNs: nanoseconds(result.get('min')),
      maxNs: nanoseconds(result.get('max')),
      stdevNs: nanoseconds(result.get('stddev')),
      iterationsPerRound: 1,
    },
  }
}

function nanoseconds(seconds: JsonValue): number | undefined {
  const amount = seconds.optionalAmount()
  return amount === undefined ? undefined : amount * NS_PER_SECOND
}

/** ` [size=10 threads=2]`; a command name given with `-n` may be the same for every parameter. */
function readParameters(parameters: JsonValue): string {
  if (parameters.isMissing) return ''
  const pairs = parameters.keys().map((key) => `${key}=${String(parameters.get(key).value)}`)
  return pairs.length === 0 ? '' : ` [${pairs.join(' ')}]`
}

function warnAboutExitCodes(exitCodes: JsonValue, name: string, warnings: WarningList): void {
  if (exitCodes.isMissing) return
  const failed = exitCodes.items().filter((code) => code.value !== 0)
  const [first] = failed
  if (!first) return
  const what = first.value === null ? 'was ended by a signal' : `ended with exit code ${first.number()}`
  warnings.add(first.path, `${quote(name)} ${what} (${failed.length} of ${exitCodes.items().length} times).`)
}

function readCpuTimes(result: JsonValue): BenchmarkMetric[] {
  return (['user', 'system'] as const).flatMap((key): BenchmarkMetric[] => {
    const value = nanoseconds(result.get(key))
    return value === undefined ? [] : [{ name: `${key}_time`, value, unit: 'ns', betterWhen: 'lower' }]
  })
}

function readMemory(memory: JsonValue): BenchmarkMetric[] {
  if (memory.isMissing) return []
  const bytes = memory.amounts()
  return bytes.length === 0
    ? []
    : [{ name: 'peak_memory', value: median(bytes), unit: 'B', betterWhen: 'lower' }]
}
