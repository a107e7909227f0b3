import { asvMeasure } from './measure.ts'
import { asvName } from './name.ts'
import type { BenchmarkResult, Environment } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { JsonValue } from '../json-value.ts'
import { quote } from '../quote.ts'
import { jsonReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import type { WarningList } from '../warning-list.ts'

/**
 * The files that asv keeps under `results/<machine>/`: { commit_hash, params, requirements, results }, times in seconds.
 * In version 2 of the format `results` has a list for each benchmark, with the columns of `result_columns`; in version 1
 * it was a number, or an object { result, params, stats, samples }.
 * @see https://asv.readthedocs.io/en/stable/dev.html#benchmark-suite-layout-and-file-formats
 */
export const asvResultFile = jsonReader(isResultFile, readResultFile)

const COMBINATIONS_MAX = 100_000

function isResultFile(json: JsonValue): boolean {
  return (
    json.get('results').isObject &&
    typeof json.get('commit_hash').value === 'string' &&
    json.get('params').isObject
  )
}

function readResultFile(json: JsonValue, warnings: WarningList): Reading {
  const columns = json.get('result_columns')
  const names = columns.isMissing ? [] : columns.items().map((column) => column.text())
  const results = json.get('results')
  return {
    environment: readMachine(json),
    results: results.keys().flatMap((name) => {
      const own = results.get(name)
      if (own.isMissing) {
        warnings.add(own.path, `${quote(name)} failed.`)
        return []
      }
      return readBenchmark(name, (column) => member(own, column, names), warnings)
    }),
  }
}

/** One column of a benchmark: by its place in version 2, by its name in version 1. */
function member(own: JsonValue, column: string, names: string[]): JsonValue {
  if (own.isList) {
    const at = names.indexOf(column)
    return (at < 0 ? undefined : own.items()[at]) ?? new JsonValue(undefined, `${own.path}.${column}`)
  }
  if (!own.isObject && column === 'result') return new JsonValue([own.number()], own.path)
  return own.get(column)
}

/** One result for each combination of parameters, the last parameter changing fastest. */
function readBenchmark(
  name: string,
  column: (name: string) => JsonValue,
  warnings: WarningList,
): BenchmarkResult[] {
  const values = column('result')
  if (values.isMissing) {
    warnings.add(values.path, `${quote(name)} failed.`)
    return []
  }
  const combinations = combine(column('params'))
  const { measure, factor } = asvMeasure(name)
  const list = (key: string) => (column(key).isList ? column(key).items() : [])
  const samples = list('samples')
  const statistics = list('stats')
  const keys = ['number', 'repeat', 'q_25', 'q_75', 'ci_99_a', 'ci_99_b'] as const
  const columns = new Map(keys.map((key) => [key, list(`stats_${key}`)]))
  return values.items().flatMap((value, index) => {
    const parameters = combinations[index] ?? []
    const ownName = asvName(name, parameters)
    if (typeof value.value !== 'number') {
      warnings.add(value.path, `${quote(ownName)} failed, or was skipped.`)
      return []
    }
    const named = { uri: ownName, name: ownName }
    const told = (key: (typeof keys)[number]) =>
      readStatistic(columns.get(key)?.[index] ?? statistics[index]?.get(key))
    const rounds = samples[index]
    const hasRounds = rounds?.isList === true && rounds.items().length > 0
    if (!value.isAmount || (hasRounds && !rounds.isListOfAmounts)) {
      warnings.add(value.path, `${quote(ownName)} is negative, or no number, ignored.`)
      return []
    }
    const stats = { iterationsPerRound: told('number') }
    if (hasRounds) {
      const roundValues = rounds.amounts().map((sample) => sample * factor)
      return [resultFromRounds({ ...named, roundValues, stats, metrics: [], measure })]
    }
    const scaled = (key: (typeof keys)[number]) => {
      const amount = told(key)
      return amount === undefined ? undefined : amount * factor
    }
    return [
      {
        ...named,
        ...measure,
        value: value.amount() * factor,
        statistic: told('repeat') === undefined ? ('single' as const) : ('median' as const),
        stats: {
          ...stats,
          q1: scaled('q_25'),
          q3: scaled('q_75'),
          low: scaled('ci_99_a'),
          high: scaled('ci_99_b'),
          rounds: told('repeat'),
        },
        metrics: [],
      },
    ]
  })
}

/** In a column of its own, or in version 1 in an object for each combination. Bounds may be infinite, or below zero. */
function readStatistic(statistic: JsonValue | undefined): number | undefined {
  return typeof statistic?.value === 'number' && statistic.value >= 0 ? statistic.number() : undefined
}

function combine(parameters: JsonValue): string[][] {
  if (parameters.isMissing) return [[]]
  return parameters.items().reduce<string[][]>(
    (combinations, values) => {
      const texts = values.items().map((value) => String(value.value))
      if (combinations.length * texts.length > COMBINATIONS_MAX) {
        throw new FormatError(`More than ${COMBINATIONS_MAX} combinations of parameters`, parameters.path)
      }
      return combinations.flatMap((combination) => texts.map((text) => [...combination, text]))
    },
    [[]],
  )
}

function readMachine(json: JsonValue): Environment {
  const machine = json.get('params')
  const requirements = json.get('requirements')
  const python = machine.get('python').value ?? json.get('python').value
  const told: [string, unknown][] = [
    ['host', machine.get('machine').value],
    ['cpu', machine.get('cpu').value],
    ['cpu_count', machine.get('num_cpu').value],
    ['os', machine.get('os').value],
    ['arch', machine.get('arch').value],
    ['ram', machine.get('ram').value],
    ['runtime', typeof python === 'string' ? `Python ${python}` : undefined],
    ...(requirements.isObject ? requirements.keys() : []).map((name): [string, unknown] => [
      `library:${name}`,
      requirements.get(name).value,
    ]),
  ]
  return Object.fromEntries(
    told.flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : [])),
  )
}
