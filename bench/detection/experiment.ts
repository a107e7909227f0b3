import { findChangePoints } from '../../packages/benchmarks/src/history/find-change-points.ts'
import { informedCusum, ours, peers, singleRun } from './detectors.ts'
import type { Detector } from './detectors.ts'
import { makeSeries, noiseKinds, noisePercents } from './make-series.ts'
import type { NoiseKind } from './make-series.ts'
import {
  changedScores,
  falseAlarms,
  falseAlarmsInUse,
  parameterFor,
  quietScores,
  quietSeries,
} from './measure.ts'
import type { Noise } from './measure.ts'

export const detectors = [ours, ...peers, singleRun]
/** Sizes of the changes, up and down. A change down by 5 % here is the undoing of one up by 5 %. */
export const sizes = [1, 2, 5, 10, 20, 50]
export const goal = { sizePercent: 5, noisePercent: 2 }
export const histories = [20, 30, 60, 100, 200]
/** From one of these lengths of a history to the next. */
export const youth = [12, 30, 60, 100]

export interface Amounts {
  /** Series per kind and noise without a change, of 200 looks each. */
  quiet: number
  /** Series per kind, noise, size and direction. */
  changed: number
  /** The same for the size and noise of the goal. */
  atGoal: number
  seed: number
}

/** All looks of all detectors at series of one kind and noise. */
export interface Cell extends Noise {
  quiet: Map<Detector, number[][]>
  /** By size, both directions together. */
  changed: Map<Detector, Map<number, number[][]>>
  inUsePerThousand: number
}

export interface Experiment {
  cells: Cell[]
  /** False alarms per 1,000 looks of ours while the history is young, by its length, at the goal's noise. */
  young: { kind: NoiseKind; from: number; to: number; perThousand: number }[]
  /** Of ours at the goal's size and noise: recall within 5 runs by length of the history before the change, calm. */
  byHistory: { runs: number; scores: number[][] }[]
  cusum: { quiet: number[][]; changed: number[][] }
  offline: { kind: NoiseKind; sizePercent: number; found: number; wrong: number }[]
}

export function runExperiment(amounts: Amounts): Experiment {
  // Every group of series has seeds of its own; a primes' stride keeps those of neighbouring groups apart.
  let group = amounts.seed * 1000
  const nextSeed = () => (group += 1) * 100_003
  const cells = noiseKinds.flatMap((kind) =>
    noisePercents.map((noisePercent) => runCell({ kind, noisePercent }, amounts, nextSeed)),
  )
  const calm: Noise = { kind: 'calm', noisePercent: goal.noisePercent }
  const byHistory = histories.map((runs) => ({
    runs,
    scores: changedBothWays(ours, calm, goal.sizePercent, amounts.atGoal, nextSeed(), runs),
  }))
  const informed = informedCusum(goal.noisePercent, goal.sizePercent)
  const cusum = {
    quiet: quietScores(informed, calm, amounts.quiet * 8, nextSeed()),
    changed: changedBothWays(informed, calm, goal.sizePercent, amounts.atGoal * 3, nextSeed()),
  }
  const young = noiseKinds.flatMap((kind) =>
    youthOf({ kind, noisePercent: goal.noisePercent }, amounts.quiet * 3, nextSeed()),
  )
  const offline = noiseKinds.flatMap((kind) =>
    [0, ...sizes].map((sizePercent) => lookBack(kind, sizePercent, amounts.changed * 4, nextSeed())),
  )
  return { cells, young, byHistory, cusum, offline }
}

function runCell(noise: Noise, { quiet, changed, atGoal }: Amounts, nextSeed: () => number): Cell {
  const quietSeed = nextSeed()
  const quietOf = new Map(
    detectors.map((detector) => [detector, quietScores(detector, noise, quiet, quietSeed)]),
  )
  const changedOf = new Map<Detector, Map<number, number[][]>>(
    detectors.map((detector) => [detector, new Map()]),
  )
  for (const size of sizes) {
    const seed = nextSeed()
    const isGoal = size === goal.sizePercent && noise.noisePercent === goal.noisePercent
    for (const detector of detectors) {
      const scores = changedBothWays(detector, noise, size, isGoal ? atGoal : changed, seed)
      changedOf.get(detector)?.set(size, scores)
    }
  }
  const [usual] = ours.parameters
  return {
    ...noise,
    quiet: quietOf,
    changed: changedOf,
    inUsePerThousand: falseAlarmsInUse(quietOf.get(ours) ?? [], usual?.value ?? NaN, noise, quietSeed),
  }
}

function youthOf(noise: Noise, count: number, seed: number): Experiment['young'] {
  const parameter = ours.parameters[0]?.value ?? NaN
  const series = Array.from({ length: count }, (_, at) => quietSeries(noise, seed + at))
  return youth.slice(0, -1).map((from, at) => {
    const to = youth[at + 1] ?? from
    const scores = series.map((values) =>
      Array.from({ length: to - from }, (_, look) => ours.score(values.slice(0, from + look + 1))),
    )
    return { kind: noise.kind, from, to, perThousand: falseAlarms(scores, parameter) }
  })
}

function changedBothWays(
  detector: Detector,
  noise: Noise,
  size: number,
  count: number,
  seed: number,
  before?: number,
): number[][] {
  const down = 100 * (1 / (1 + size / 100) - 1)
  return [
    ...changedScores(detector, noise, size, { count, seed, before }),
    ...changedScores(detector, noise, down, { count, seed: seed + count, before }),
  ]
}

/** findChangePoints() over whole series of 200 runs at the goal's noise, with a change at run 120, or none for size 0. */
function lookBack(
  kind: NoiseKind,
  sizePercent: number,
  count: number,
  seed: number,
): Experiment['offline'][number] {
  let [found, wrong] = [0, 0]
  for (let at = 0; at < count; at += 1) {
    const change = { at: 120, percent: sizePercent }
    const noisePercent = goal.noisePercent
    const { changePoints } = findChangePoints(
      makeSeries({ kind, noisePercent, runs: 200, seed: seed + at, change }),
    )
    const right = changePoints.find(({ index }) => sizePercent > 0 && Math.abs(index - change.at) <= 5)
    if (right) found += 1
    wrong += changePoints.length - (right ? 1 : 0)
  }
  return { kind, sizePercent, found: found / count, wrong: wrong / count }
}

/** The parameter of a detector at which there are at most so many false alarms per 1,000 looks in this cell. */
export function calibrated({ quiet }: Cell, detector: Detector, perThousand: number): number {
  return parameterFor(quiet.get(detector) ?? [], perThousand)
}
