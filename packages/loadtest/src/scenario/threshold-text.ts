import type { Measure, Threshold, ThresholdScope } from './threshold.ts'
import { needsStatistic, thresholdMetricNames, unitOf, type ThresholdMetric } from './threshold-metrics.ts'

/** A text that is no threshold: what is wrong, and at which character, counted from 0. */
export class ThresholdTextError extends Error {
  readonly position: number

  constructor(reason: string, position: number) {
    super(`${reason} (at character ${position + 1})`)
    this.position = position
  }
}

/** What a unit is in the unit of its metric. */
const units: Readonly<Record<string, { of: string; factor: number }>> = {
  us: { of: 'ms', factor: 0.001 },
  ms: { of: 'ms', factor: 1 },
  s: { of: 'ms', factor: 1000 },
  min: { of: 'ms', factor: 60_000 },
  '%': { of: '%', factor: 1 },
  '/s': { of: '/s', factor: 1 },
  '/min': { of: '/s', factor: 1 / 60 },
  B: { of: 'B', factor: 1 },
  kB: { of: 'B', factor: 1000 },
  MB: { of: 'B', factor: 1_000_000 },
  GB: { of: 'B', factor: 1_000_000_000 },
}

const statisticWords: Readonly<Record<string, string>> = { avg: 'mean', average: 'mean', median: 'p50' }

/**
 * Reads `p95 duration of container "checkout" < 400 ms, abort after 30 s`:
 *
 *     [statistic] metric [(target of apdex)] [of profile | container | action "name"] operator value unit [, abort [after time]]
 *
 * What it gives is valid by its schema only as far as text can say.
 * @throws ThresholdTextError
 */
export function parseThreshold(text: string): Threshold {
  const reader = new Reader(text)
  const statistic = reader.take(/(?:mean|avg|average|median|min|max|p\d[\d.]*)(?![\w])/)
  const metric = readMetric(reader)
  if (needsStatistic(metric) && statistic === undefined)
    throw new ThresholdTextError(`Say which value of ${metric}, such as p95 or mean`, 0)
  const target = reader.take(/\(/) === undefined ? null : readAmount(reader, 'ms')
  if (target !== null) reader.need(/\)/, 'Close the bracket with )')
  const scope = readScope(reader)
  const operator = reader.need(/<=|>=|<|>/, 'Write <, <=, > or >= here')
  const value = readAmount(reader, unitOf(metric))
  const isAborting = reader.take(/,/) !== undefined
  if (isAborting) reader.need(/abort\b/, 'Only “abort” or “abort after 30 s” can follow')
  const graceMs = isAborting && reader.take(/after\b/) !== undefined ? readAmount(reader, 'ms') : 0
  reader.end()
  return {
    metric,
    statistic: statistic === undefined ? null : (statisticWords[statistic] ?? statistic),
    apdex_target_ms: target,
    scope,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the four that the pattern lets through
    operator: operator as Threshold['operator'],
    value,
    abort_on_breach: isAborting,
    grace_ms: graceMs,
  }
}

/** The text that `parseThreshold` reads as this threshold. */
export function thresholdText(threshold: Threshold): string {
  const { metric, operator, value, grace_ms: graceMs } = threshold
  return [measureText(threshold), ...scopeWords(threshold.scope), operator, valueText(value, metric)]
    .join(' ')
    .concat(threshold.abort_on_breach ? `, abort${graceMs > 0 ? ` after ${graceMs} ms` : ''}` : '')
}

/** `p95 duration`, `apdex(500 ms)` */
export function measureText({ metric, statistic, apdex_target_ms: target }: Measure): string {
  const words = metric.replaceAll('_', ' ') + (target === null ? '' : `(${target} ms)`)
  return statistic === null ? words : `${statistic} ${words}`
}

/** `400 ms`, `1%`, `50/s` */
export function valueText(value: number, metric: ThresholdMetric): string {
  const unit = unitOf(metric)
  return unit === '%' || unit === '/s' ? `${value}${unit}` : `${value} ${unit}`.trimEnd()
}

function scopeWords(scope: ThresholdScope): string[] {
  switch (scope.type) {
    case 'whole':
      return []
    case 'profile':
      return ['of profile', JSON.stringify(scope.profile_id)]
    case 'container':
      return ['of container', JSON.stringify(scope.name)]
    default:
      return ['of action', JSON.stringify(scope.action_id)]
  }
}

function readMetric(reader: Reader): ThresholdMetric {
  // The longer ones first, so that none is taken for the beginning of another.
  for (const metric of thresholdMetricNames.toSorted((a, b) => b.length - a.length)) {
    const pattern = new RegExp(`${metric.replaceAll('_', '[_ ]')}(?!\\w)`)
    if (reader.take(pattern) !== undefined) return metric
  }
  throw reader.fault(`Name a metric here: ${thresholdMetricNames.join(', ').replaceAll('_', ' ')}`)
}

function readScope(reader: Reader): ThresholdScope {
  if (reader.take(/of\b/) === undefined) return { type: 'whole' }
  const type = reader.need(/(?:profile|container|action)\b/, 'Write profile, container or action here')
  const at = reader.position
  const written = reader.need(/"(?:[^"\\]|\\.)*"|[\w.-]+/, `Name the ${type}, in "quotes"`)
  const name = written.startsWith('"') ? unquoted(written, at) : written
  if (type === 'profile') return { type, profile_id: name }
  return type === 'container' ? { type, name } : { type: 'action', action_id: name }
}

function unquoted(written: string, position: number): string {
  try {
    return String(JSON.parse(written))
  } catch {
    throw new ThresholdTextError('Quote the name as JSON does', position)
  }
}

/** A number with a unit, in the one that is wanted. A number alone will do, but for percent, where 0.01 could be meant either way. */
function readAmount(reader: Reader, wanted: string): number {
  const number = reader.need(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/i, 'Write a number here')
  const at = reader.position
  const written = reader.take(/per second\b|%|\/s\b|\/min\b|us\b|ms\b|s\b|min\b|B\b|kB\b|MB\b|GB\b/)
  const unit = written === 'per second' ? '/s' : written
  if (unit === undefined && wanted === '%') throw new ThresholdTextError('Write % after the number', at)
  const { of, factor } =
    unit === undefined ? { of: wanted, factor: 1 } : (units[unit] ?? { of: '', factor: 1 })
  if (of !== wanted)
    throw new ThresholdTextError(
      wanted === '' ? 'No unit is wanted here' : `Another unit is wanted here: ${wanted}`,
      at,
    )
  // A factor of 1 must not touch the number: it is printed as it was written.
  return factor === 1 ? Number(number) : Number((Number(number) * factor).toPrecision(12))
}

/** Goes through a text from left to right, over spaces. */
class Reader {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
    this.#skipSpace()
  }

  get position(): number {
    return this.#position
  }

  /** What fits here, if it does. */
  take(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern.source, `${pattern.flags}y`)
    sticky.lastIndex = this.#position
    const found = sticky.exec(this.#text)?.[0]
    if (found === undefined) return undefined
    this.#position += found.length
    this.#skipSpace()
    return found
  }

  need(pattern: RegExp, reason: string): string {
    const found = this.take(pattern)
    if (found === undefined) throw this.fault(reason)
    return found
  }

  end(): void {
    if (this.#position < this.#text.length) throw this.fault('Nothing more is expected here')
  }

  fault(reason: string): ThresholdTextError {
    return new ThresholdTextError(reason, this.#position)
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#position] ?? '')) this.#position++
  }
}
