import { studentTTwoSided } from '@flamegate/benchmarks/arithmetic'
import type { Effect, Quantile } from './effect.ts'
import { seriesLevel } from './series-level.ts'
import type { SeriesLevel } from './series-level.ts'

/** Nobody measured how sessions differ; it is assumed, and believed as if it came from eleven of them. */
const ASSUMED_DF = 10

/**
 * The change between two sessions that ran at different times: their levels, the error of each by its own blocks, and how
 * much two sessions of the same build are taken to differ, which no single session shows: as much as is assumed, or as
 * fifths of a session differ if that is more. Distributed like Student's t with the degrees of freedom of Satterthwaite
 * (1946). Undefined where a side has fewer than five blocks.
 * @param assumedStdev of ln(value) between sessions, such as 0.02
 */
export function sessionEffect(
  base: readonly (number | null)[],
  head: readonly (number | null)[],
  assumedStdev: number,
  quantile: Quantile,
): Effect | undefined {
  const [ofBase, ofHead] = [seriesLevel(base), seriesLevel(head)]
  if (!ofBase || !ofHead) return undefined
  const method = `two sessions of ${base.length} and ${head.length} blocks, and an assumed ${percent(assumedStdev)} between sessions`
  return levelsEffect(ofBase, ofHead, assumedStdev, { quantile, method })
}

/** The same for levels that are known otherwise. */
export function levelsEffect(
  base: SeriesLevel,
  head: SeriesLevel,
  assumedStdev: number,
  { quantile, method }: { quantile: Quantile; method: string },
): Effect {
  const between =
    Math.max(assumedStdev ** 2, base.slowVariance) + Math.max(assumedStdev ** 2, head.slowVariance)
  const total = base.variance + head.variance + between
  const parts = base.variance ** 2 / base.df + head.variance ** 2 / head.df + between ** 2 / ASSUMED_DF
  const df = Math.max(1, Math.floor(parts === 0 ? ASSUMED_DF : total ** 2 / parts))
  const logRatio = head.logValue - base.logValue
  const error = Math.sqrt(total)
  return {
    base: Math.exp(base.logValue),
    head: Math.exp(head.logValue),
    logRatio,
    margin: quantile(df) * error,
    pValue: error === 0 ? Number(logRatio === 0) : studentTTwoSided(logRatio / error, df),
    method,
  }
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`
}
