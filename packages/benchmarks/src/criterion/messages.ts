import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-result.ts'
import { readJsonLines } from '../json-lines.ts'
import type { JsonValue } from '../json-value.ts'
import { quote } from '../quote.ts'
import type { Reading } from '../reader.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'
import { criterionResult } from './criterion-result.ts'
import type { Estimate } from './criterion-result.ts'
import { throughputMetric } from './throughput.ts'

const COMPLETE = 'benchmark-complete'

export function isCriterionMessage(json: JsonValue): boolean {
  return json.get('reason').value === COMPLETE || json.get('reason').value === 'group-complete'
}

export function isCriterionMessages(text: string): boolean {
  return /^\{"reason":"(?:benchmark|group)-complete"/m.test(text)
}

/**
 * Reads `cargo criterion --message-format=json`: one JSON object per line, among what the programs print.
 * @see https://bheisler.github.io/criterion.rs/book/cargo_criterion/external_tools.html
 */
export function readCriterionMessages(text: string, warnings: WarningList): Reading {
  const results = readJsonLines(text, /^\{/, (json) => readCriterionMessage(json, warnings).results)
  return { environment: {}, results }
}

/** One `benchmark-complete`; messages about groups have no numbers. */
export function readCriterionMessage(json: JsonValue, warnings: WarningList): Reading {
  const results = json.get('reason').text() === COMPLETE ? readBenchmark(json, warnings) : []
  return { environment: {}, results }
}

function readBenchmark(json: JsonValue, warnings: WarningList): BenchmarkResult[] {
  const id = json.get('id').text()
  const unit = json.get('unit').text()
  const nsPerUnit = nsPerPrintedUnit(unit)
  if (nsPerUnit === undefined) {
    warnings.add(json.get('unit').path, `${quote(id)} is measured in ${quote(unit)}, not in time, ignored.`)
    return []
  }
  const result = criterionResult(id, {
    times: json.get('measured_values'),
    iterations: json.get('iteration_count'),
    nsPerUnit,
    median: readEstimate(json.get('median'), nsPerUnit),
    slope: readEstimate(json.get('slope'), nsPerUnit),
  })
  return [
    { ...result, metrics: [...result.metrics, ...readThroughput(json.get('throughput'), result.value)] },
  ]
}

function readEstimate(json: JsonValue, nsPerUnit: number): Estimate | undefined {
  if (json.isMissing) return undefined
  return {
    value: json.get('estimate').amount() * nsPerUnit,
    low: json.get('lower_bound').amount() * nsPerUnit,
    high: json.get('upper_bound').amount() * nsPerUnit,
  }
}

/** A list, empty without one. */
function readThroughput(json: JsonValue, nsPerIteration: number): BenchmarkMetric[] {
  if (json.isMissing) return []
  return json
    .items()
    .flatMap((item) =>
      throughputMetric(item.get('unit').text(), item.get('per_iteration').amount(), nsPerIteration),
    )
}
