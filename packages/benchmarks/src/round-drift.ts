import { median } from './statistics/describe-rounds.ts'
import { normalCdf } from './statistics/normal-distribution.ts'

/** More rounds are taken together in so many blocks, in their order. */
const BLOCKS_MAX = 60
const SIGNIFICANCE = 0.001
/** A smaller drift is of no consequence. */
const DRIFT_MIN = 0.02

/**
 * How far the rounds drift from the first third to the last, as a share of the first (0.1 is 10 % larger); undefined when
 * they do not, by the test of Mann and Kendall. Rounds in perfect order were sorted by the tool, so nothing is known.
 * @see Mann (1945), Nonparametric tests against trend, Econometrica 13:245–259
 */
export function describeDrift(roundValues: readonly number[]): number | undefined {
  const blocks = inBlocks(roundValues)
  const count = blocks.length
  let score = 0
  for (let late = 1; late < count; late += 1) {
    for (let early = 0; early < late; early += 1) {
      score += Math.sign((blocks[late] ?? 0) - (blocks[early] ?? 0))
    }
  }
  const variance = (count * (count - 1) * (2 * count + 5)) / 18
  const pValue = 2 * (1 - normalCdf((Math.abs(score) - 1) / Math.sqrt(variance)))
  if (pValue >= SIGNIFICANCE || isSorted(roundValues)) return undefined
  const third = Math.ceil(roundValues.length / 3)
  const change = median(roundValues.slice(-third)) / median(roundValues.slice(0, third)) - 1
  return Math.abs(change) >= DRIFT_MIN ? change : undefined
}

function inBlocks(roundValues: readonly number[]): number[] {
  if (roundValues.length <= BLOCKS_MAX) return [...roundValues]
  return Array.from({ length: BLOCKS_MAX }, (_, block) => {
    const from = Math.floor((block * roundValues.length) / BLOCKS_MAX)
    const to = Math.floor(((block + 1) * roundValues.length) / BLOCKS_MAX)
    return median(roundValues.slice(from, to))
  })
}

function isSorted(values: readonly number[]): boolean {
  return (
    values.every((value, index) => index === 0 || value >= (values[index - 1] ?? value)) ||
    values.every((value, index) => index === 0 || value <= (values[index - 1] ?? value))
  )
}
