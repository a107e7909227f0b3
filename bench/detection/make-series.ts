import { randomNumbers } from '../../packages/benchmarks/src/testing/random.ts'

/** What the runs of a benchmark that does not change look like. */
export const noiseKinds = ['calm', 'heavy', 'outliers', 'bimodal', 'autocorrelated', 'drift', 'step'] as const
export type NoiseKind = (typeof noiseKinds)[number]

/** Standard deviations between runs, in per cent of the level. */
export const noisePercents = [0.5, 1, 2, 5, 10]

export interface SeriesShape {
  kind: NoiseKind
  noisePercent: number
  runs: number
  seed: number
  /** From run `at` on the level is `percent` higher (or lower, where negative). */
  change?: { at: number; percent: number }
}

/** The shape of a log-normal distribution with a skewness of 3.3: one run in a hundred is 4 deviations slow. */
const HEAVY_SIGMA = 0.75
const OUTLIER_SHARE = 0.05
/** Two modes, the slower in three of ten runs, two deviations of the whole apart. */
const MODE = { share: 0.3, gap: 2, spread: 0.4 }
const CORRELATION = 0.5
const DRIFT_PER_RUN = 1.0002
/** Two levels, changed at random after ten runs on average; a quarter of the variance is within a level. */
const STEP = { share: 0.1, spread: 0.5, height: Math.sqrt(0.75) }

/** Runs of one benchmark, oldest first, about 1,000 ns each. The same seed gives the same series. */
export function makeSeries({ kind, noisePercent, runs, seed, change }: SeriesShape): number[] {
  const random = randomNumbers(seed * 7919 + 13)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const next = noiseOf(kind, random, normal)
  return Array.from({ length: runs }, (_, run) => {
    const { deviation, factor } = next(run)
    const level = change !== undefined && run >= change.at ? 1000 * (1 + change.percent / 100) : 1000
    return level * Math.max(0.05, 1 + (noisePercent / 100) * deviation) * factor
  })
}

/** A run's deviation, with a variance of 1, and what multiplies the whole run. */
interface Noise {
  deviation: number
  factor: number
}

function noiseOf(kind: NoiseKind, random: () => number, normal: () => number): (run: number) => Noise {
  let previous = normal()
  let isHigh = random() < 0.5
  const makers: Record<NoiseKind, (run: number) => Noise> = {
    calm: () => ({ deviation: normal(), factor: 1 }),
    heavy: () => ({ deviation: heavyDeviation(normal()), factor: 1 }),
    outliers: () => ({
      deviation: normal(),
      factor: random() < OUTLIER_SHARE ? 1.5 + 1.5 * random() : 1,
    }),
    bimodal: () => ({
      deviation: MODE.spread * normal() + MODE.gap * ((random() < MODE.share ? 1 : 0) - MODE.share),
      factor: 1,
    }),
    autocorrelated: () => {
      previous = CORRELATION * previous + Math.sqrt(1 - CORRELATION ** 2) * normal()
      return { deviation: previous, factor: 1 }
    },
    drift: (run) => ({ deviation: normal(), factor: DRIFT_PER_RUN ** run }),
    step: () => {
      if (random() < STEP.share) isHigh = !isHigh
      return { deviation: STEP.spread * normal() + (isHigh ? STEP.height : -STEP.height), factor: 1 }
    },
  }
  return makers[kind]
}

function heavyDeviation(normal: number): number {
  const square = HEAVY_SIGMA ** 2
  const mean = Math.exp(square / 2)
  return (Math.exp(HEAVY_SIGMA * normal) - mean) / (mean * Math.sqrt(Math.expm1(square)))
}
