import { measuredValue, type Measured } from '../scenario/evaluate-threshold.ts'
import { measureText, valueText } from '../scenario/threshold-text.ts'
import type { Measure } from '../scenario/threshold.ts'
import { slaSeverities, type SlaBand, type SlaProfile, type SlaSeverity } from './sla-profile.ts'

/** What was measured in one step of a run. */
export interface MeasuredStep {
  /** Where it begins, since the run began. */
  second: number
  measured: Measured
}

/** All that was measured of what a profile is attached to. */
export interface MeasuredRun {
  /** In their order, without gaps; also those in which nothing happened. */
  steps: readonly MeasuredStep[]
  stepSeconds: number
  total: Measured
}

/** How one measure of a profile did. */
export interface SlaVerdict {
  measure: Measure
  /** The worst of the bands that count; `passed` where none does. */
  severity: SlaSeverity
  /** Of the whole run; null where nothing was measured. */
  value: number | null
  /** Why it is so. */
  words: string
}

/**
 * Holds what was measured against the bands of a profile, each measure by itself. A band counts once its condition is met, and
 * stays so: what was bad for a while is told also when all is well again.
 */
export function evaluateSla({ bands }: Pick<SlaProfile, 'bands'>, run: MeasuredRun): SlaVerdict[] {
  return [...Map.groupBy(bands, measureText).values()].flatMap((ofMeasure) => verdictOf(ofMeasure, run))
}

function verdictOf(bands: readonly SlaBand[], run: MeasuredRun): SlaVerdict[] {
  const [measure] = bands
  if (measure === undefined) return []
  const value = finite(measuredValue(measure, run.total)) ?? null
  const name = measureText(measure)
  const found = bands
    .map((band) => ({ band, ...timeInBand(band, run) }))
    .filter(({ isReached }) => isReached)
    .toSorted((a, b) => slaSeverities.indexOf(b.band.severity) - slaSeverities.indexOf(a.band.severity))
  const [worst] = found
  if (worst === undefined) {
    const words = value === null ? `${name}: nothing was measured.` : `${name}: no band was reached.`
    return [{ measure, severity: 'passed', value, words }]
  }
  const { band, steps, longestSteps, firstSecond } = worst
  const seconds = band.condition.type === 'duration' ? longestSteps : steps
  const words = `${name} was ${rangeText(band)} for ${seconds * run.stepSeconds} s${band.condition.type === 'duration' ? ' without a break' : ''}, first in second ${firstSecond}.`
  return [{ measure, severity: band.severity, value, words }]
}

/** How long a run was in a band. */
function timeInBand(band: SlaBand, { steps, stepSeconds }: MeasuredRun) {
  let count = 0
  let streak = 0
  let longest = 0
  let firstSecond: number | undefined
  for (const { second, measured } of steps) {
    const value = finite(measuredValue(band, measured))
    // A step in which nothing was measured says nothing of what is around it.
    if (value === undefined) continue
    const isInside = isInBand(value, band)
    streak = isInside ? streak + 1 : 0
    longest = Math.max(longest, streak)
    if (!isInside) continue
    count += 1
    firstSecond ??= second
  }
  const { condition } = band
  const isReached =
    condition.type === 'occurrences'
      ? count * stepSeconds >= condition.times
      : longest * stepSeconds * 1000 >= condition.duration_ms
  return { isReached: count > 0 && isReached, steps: count, longestSteps: longest, firstSecond }
}

/** Whether a value is in the range of a band. */
export function isInBand(
  value: number,
  { from, is_from_included: isFrom, to, is_to_included: isTo }: SlaBand,
): boolean {
  const isAbove = from === null || value > from || (isFrom && value === from)
  const isBelow = to === null || value < to || (isTo && value === to)
  return isAbove && isBelow
}

/** `>= 400 ms`, `>= 1% and < 5%` */
export function rangeText({
  metric,
  from,
  is_from_included: isFrom,
  to,
  is_to_included: isTo,
}: Pick<SlaBand, 'metric' | 'from' | 'is_from_included' | 'to' | 'is_to_included'>): string {
  return [
    ...(from === null ? [] : [`${isFrom ? '>=' : '>'} ${valueText(from, metric)}`]),
    ...(to === null ? [] : [`${isTo ? '<=' : '<'} ${valueText(to, metric)}`]),
  ].join(' and ')
}

/** A band in words: `critical: p95 duration >= 400 ms, 3 times`. */
export function bandText(band: SlaBand): string {
  const { condition } = band
  const when =
    condition.type === 'occurrences'
      ? condition.times === 1
        ? 'once'
        : `${condition.times} times`
      : `for ${condition.duration_ms / 1000} s`
  return `${band.severity}: ${measureText(band)} ${rangeText(band)}, ${when}`
}

function finite(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value
}
