import {
  NEW_CHANGE_SIGNIFICANCE,
  detectNewChange,
} from '../../packages/benchmarks/src/history/detect-new-change.ts'
import { judgeSingleRun } from '../../packages/benchmarks/src/history/judge-single-run.ts'
import { studentTCdf } from '../../packages/benchmarks/src/statistics/student-t-distribution.ts'

/**
 * Looks at the newest run of a series and says how far it is from being an alarm: the higher, the more so; the sign is
 * the direction. An alarm is raised when the size reaches a parameter, so that one look serves all parameters.
 */
export interface Detector {
  name: string
  /** The parameters that it is used with. */
  parameters: { value: number; label: string }[]
  score: (values: readonly number[]) => number
}

const WINDOW_RUNS = 64

/** `-log10` of the p-value of the clearest change within the last runs. */
export const ours: Detector = {
  name: 'ours',
  parameters: [{ value: -Math.log10(NEW_CHANGE_SIGNIFICANCE), label: 'default' }],
  score: (values) => {
    const found = detectNewChange(values, { significance: 1 })
    return found === undefined ? 0 : signed(-Math.log10(found.pValue + 1e-300), found.direction === 'up')
  },
}

/** The gate: `-log10` of the p-value of the newest run alone. */
export const singleRun: Detector = {
  name: 'ours, single run',
  parameters: [{ value: 3, label: 'default' }],
  score: (values) => {
    const { pValue = 1, changePercent = 0 } = judgeSingleRun(values.slice(0, -1), values.at(-1) ?? NaN)
    // Not below its least effect, whatever the probability.
    return Math.abs(changePercent) < 0.5 ? 0 : signed(-Math.log10(pValue + 1e-300), changePercent > 0)
  },
}

/** As github-action-benchmark: per cent of the run before. */
const previousRun: Detector = {
  name: 'percentage of the previous run',
  parameters: percentParameters(),
  score: (values) => 100 * ((values.at(-1) ?? NaN) / (values.at(-2) ?? NaN) - 1),
}

/** As CodSpeed and Bencher's percentage test: per cent of the mean of a window. */
const windowMean: Detector = {
  name: "percentage of the window's mean",
  parameters: percentParameters(),
  score: (values) => 100 * ((values.at(-1) ?? NaN) / meanOf(windowOf(values)) - 1),
}

/** Bencher's t test, with the boundary 0.99 of its documentation on both sides: `-log10` of the tail. */
const tTest: Detector = {
  name: 't test over the window',
  parameters: [{ value: 2, label: 'boundary 0.99' }],
  score: (values) => {
    const window = windowOf(values)
    const mean = meanOf(window)
    const stdev = Math.sqrt(meanOf(window.map((value) => (value - mean) ** 2)))
    const t = ((values.at(-1) ?? NaN) - mean) / stdev
    return signed(-Math.log10(1 - studentTCdf(Math.abs(t), window.length - 1) + 1e-300), t > 0)
  },
}

export const peers = [previousRun, windowMean, tTest]

/**
 * What could be reached: CUSUM, told the level, the noise (calm) and the size of the change beforehand. Of all detectors
 * with a given rate of false alarms it has the least delay (Moustakides 1986, Annals of Statistics 14:1379–1387); in
 * the share that it finds within five runs it is close to the best.
 */
export function informedCusum(noisePercent: number, changePercent: number): Detector {
  const size = Math.abs(changePercent) / noisePercent
  return {
    name: 'CUSUM that knows level, noise and size',
    parameters: [],
    score: (values) => {
      let [up, down] = [0, 0]
      for (const value of values.slice(-60)) {
        const deviation = (value / 1000 - 1) / (noisePercent / 100)
        up = Math.max(0, up + size * deviation - (size * size) / 2)
        down = Math.max(0, down - size * deviation - (size * size) / 2)
      }
      return up >= down ? up : -down
    },
  }
}

function percentParameters(): { value: number; label: string }[] {
  return [5, 10].map((value) => ({ value, label: `${value} %` }))
}

function windowOf(values: readonly number[]): number[] {
  return values.slice(-1 - WINDOW_RUNS, -1)
}

function signed(size: number, isUp: boolean): number {
  return isUp ? size : -size
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
