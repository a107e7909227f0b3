import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult, Environment } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import { quote } from '../quote.ts'
import { jsonReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import type { WarningList } from '../warning-list.ts'

export const julia = adapter({
  name: 'julia',
  title: 'BenchmarkTools.jl',
  readers: [jsonReader(isJulia, readJulia)],
})

/** Groups within groups; deeper ones are nobody's. */
const DEPTH_MAX = 100

function isJulia(json: JsonValue): boolean {
  return !json.item(0).get('BenchmarkTools').isMissing
}

/**
 * Reads `BenchmarkTools.save`: [{ Julia, BenchmarkTools }, [value, …]]. Every value is a pair of its type and its
 * members: a BenchmarkGroup holds others by key, a Trial has all samples, a TrialEstimate one number of them. Times in ns
 * per evaluation. Members are in the order of a hash table, so results are sorted by uri.
 * @see https://juliaci.github.io/BenchmarkTools.jl/stable/manual/#Benchmark-Serialization
 */
function readJulia(json: JsonValue, warnings: WarningList): Reading {
  const [versions, values] = json.items()
  if (!versions || !values) throw new FormatError('Expected the versions and a list of values', json.path)
  const results = values.items().flatMap((value) => readValue(value, [], warnings))
  return { environment: readVersions(versions), results: results.toSorted(compareUris) }
}

function compareUris(a: BenchmarkResult, b: BenchmarkResult): number {
  return a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0
}

function readValue(value: JsonValue, parents: string[], warnings: WarningList): BenchmarkResult[] {
  if (parents.length > DEPTH_MAX) throw new FormatError('The groups are nested too deeply', value.path)
  const [type, members] = value.items()
  if (!type || !members) throw new FormatError('Expected a type and its members', value.path)
  const kind = type.text()
  if (kind === 'BenchmarkGroup') {
    const data = members.get('data')
    return data.keys().flatMap((key) => readValue(data.get(key), [...parents, key], warnings))
  }
  const named = { uri: parents.join('::') || 'benchmark', name: parents.join('::') || 'benchmark' }
  if (kind === 'Trial') return [readTrial(members, named)]
  if (kind === 'TrialEstimate') return [readEstimate(members, named)]
  warnings.add(value.path, `${quote(kind)} is not read.`)
  return []
}

function readTrial(trial: JsonValue, named: { uri: string; name: string }): BenchmarkResult {
  const roundValues = trial.get('times').amounts()
  if (roundValues.length === 0) throw new FormatError('Expected at least one time', trial.get('times').path)
  return resultFromRounds({
    ...named,
    roundValues,
    stats: { iterationsPerRound: evaluations(trial) },
    metrics: readMemory(trial),
  })
}

/** The file does not tell whether it is the median, the mean or the minimum of a trial. */
function readEstimate(estimate: JsonValue, named: { uri: string; name: string }): BenchmarkResult {
  const collecting = estimate.get('gctime').optionalAmount()
  return {
    ...named,
    ...wallTime,
    value: estimate.get('time').amount(),
    statistic: 'single',
    stats: { iterationsPerRound: evaluations(estimate) },
    metrics: [
      ...readMemory(estimate),
      ...(collecting === undefined
        ? []
        : [{ name: 'gc_time', value: collecting, unit: 'ns', betterWhen: 'lower' as const }]),
    ],
  }
}

function evaluations(trial: JsonValue): number | undefined {
  const parameters = trial.get('params')
  return parameters.isMissing ? undefined : parameters.items()[1]?.get('evals').optionalAmount()
}

function readMemory(trial: JsonValue): BenchmarkMetric[] {
  const bytes = trial.get('memory').optionalAmount()
  const allocations = trial.get('allocs').optionalAmount()
  return [
    ...(bytes === undefined
      ? []
      : [{ name: 'allocated', value: bytes, unit: 'B', betterWhen: 'lower' as const }]),
    ...(allocations === undefined
      ? []
      : [{ name: 'allocations', value: allocations, unit: 'allocations', betterWhen: 'lower' as const }]),
  ]
}

function readVersions(versions: JsonValue): Environment {
  const language = versions.get('Julia')
  const tools = versions.get('BenchmarkTools')
  return {
    ...(!language.isMissing && { runtime: `Julia ${String(language.value)}` }),
    ...(!tools.isMissing && { 'library:BenchmarkTools': String(tools.value) }),
  }
}
