import { detectNewChange } from '../../packages/benchmarks/src/history/detect-new-change.ts'
import type { Detector } from './detectors.ts'
import { makeSeries } from './make-series.ts'
import type { NoiseKind } from './make-series.ts'

/** Runs that a series has before anybody looks, and while it is looked at. */
export const quietRuns = { before: 100, looked: 200 }
/** Runs before a change, and looks after it. */
export const changedRuns = { before: 200, looks: 10 }
/** An alarm so soon after another is about the same thing, and counts once; for everybody alike. */
const SAME_ALARM_RUNS = 5

export interface Noise {
  kind: NoiseKind
  noisePercent: number
}

/** Scores of the looks at series without a change: one list per series. */
export function quietScores(detector: Detector, noise: Noise, count: number, seed: number): number[][] {
  return Array.from({ length: count }, (_, at) => {
    const values = quietSeries(noise, seed + at)
    return Array.from({ length: quietRuns.looked }, (_look, look) =>
      detector.score(values.slice(0, quietRuns.before + look + 1)),
    )
  })
}

export function quietSeries(noise: Noise, seed: number): number[] {
  return makeSeries({ ...noise, runs: quietRuns.before + quietRuns.looked, seed })
}

/** Alarms per 1,000 looks that a parameter makes of scores, those soon after another taken together. */
export function falseAlarms(scores: readonly number[][], parameter: number): number {
  let alarms = 0
  for (const series of scores) {
    let last = -Infinity
    for (const [look, score] of series.entries()) {
      if (Math.abs(score) < parameter || look - last <= SAME_ALARM_RUNS) continue
      alarms += 1
      last = look
    }
  }
  return (1000 * alarms) / scores.reduce((sum, series) => sum + series.length, 0)
}

/** The parameter at which there is at most this many alarms per 1,000 looks, and hardly fewer. */
export function parameterFor(scores: readonly number[][], perThousand: number): number {
  const sizes = [...new Set(scores.flat().map(Math.abs))].filter((size) => size > 0).toSorted((a, b) => a - b)
  let [low, high] = [0, sizes.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (falseAlarms(scores, sizes[middle] ?? Infinity) <= perThousand) high = middle
    else low = middle + 1
  }
  // Just above the largest that is one too many, so that what lies between the two counts.
  return low === 0 ? 1e-9 : (sizes[low - 1] ?? 0) * (1 + 1e-9)
}

/**
 * False alarms per 1,000 looks as they happen in use: after an alarm its change is known, and the looks go on with the
 * history since. `scores` are those of the same series without known changes, so only what follows an alarm is new.
 */
export function falseAlarmsInUse(
  scores: readonly number[][],
  parameter: number,
  noise: Noise,
  seed: number,
): number {
  let alarms = 0
  for (const [at, series] of scores.entries()) {
    const first = series.findIndex((score) => Math.abs(score) >= parameter)
    if (first === -1) continue
    const values = quietSeries(noise, seed + at)
    const knownChanges: number[] = []
    for (let look = first; look < series.length; look += 1) {
      const found = detectNewChange(values.slice(0, quietRuns.before + look + 1), { knownChanges })
      if (found) knownChanges.push(found.index)
    }
    alarms += knownChanges.length
  }
  return (1000 * alarms) / scores.reduce((sum, series) => sum + series.length, 0)
}

/** Scores of the looks after a change, in the direction of the change: one list per series, first run first. */
export function changedScores(
  detector: Detector,
  noise: Noise,
  percent: number,
  { count, seed, before = changedRuns.before }: { count: number; seed: number; before?: number },
): number[][] {
  return Array.from({ length: count }, (_, at) => {
    const change = { at: before, percent }
    const runs = before + changedRuns.looks
    const values = makeSeries({ ...noise, runs, seed: seed + at, change })
    return Array.from(
      { length: changedRuns.looks },
      (_look, look) => Math.sign(percent) * detector.score(values.slice(0, before + look + 1)),
    )
  })
}

/** The share of series with an alarm within the first `runs` runs after the change. */
export function recall(scores: readonly number[][], parameter: number, runs: number): number {
  const found = scores.filter((series) => series.slice(0, runs).some((score) => score >= parameter))
  return found.length / scores.length
}

/** How many runs after the change it took, the run with the change being the first; median of those found. */
export function delay(scores: readonly number[][], parameter: number): number {
  const delays = scores
    .map((series) => 1 + series.findIndex((score) => score >= parameter))
    .filter((runs) => runs > 0)
    .toSorted((a, b) => a - b)
  return delays[Math.floor(delays.length / 2)] ?? NaN
}
