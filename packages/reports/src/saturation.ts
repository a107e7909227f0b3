import type { LoadLevel } from './load-levels.ts'

export type Saturation =
  | { outcome: 'saturated'; level: LoadLevel; top: LoadLevel; rateMax: number }
  | { outcome: 'not_saturated'; top: LoadLevel; rateMax: number }
  | { outcome: 'unknown' }

const levelsMin = 5
/** What is so near to the highest throughput is as high. */
const nearMax = 0.95
/** The load went on for so much beyond what the system had taken already. */
const loadBeyond = 1.25
/** And answers took so many times as long then. */
const riseMin = 1.3

/**
 * Whether throughput stopped rising while the load rose on and latency with it. By Little's law the users in a system are its
 * throughput times the time that each iteration takes (L = λW): once λ cannot rise any more, every user that is added makes
 * all wait longer. Only such a run is saturated; a throughput that is level because the load is, is not.
 */
export function findSaturation(levels: readonly LoadLevel[]): Saturation {
  const top = levels.at(-1)
  if (top === undefined || levels.length < levelsMin) return { outcome: 'unknown' }
  const rateMax = Math.max(...levels.map(({ ratePerSecond }) => ratePerSecond))
  const level = levels.find(({ ratePerSecond }) => ratePerSecond >= nearMax * rateMax)
  if (level === undefined || top.load < loadBeyond * level.load || top.latencyMs < riseMin * level.latencyMs)
    return { outcome: 'not_saturated', top, rateMax }
  return { outcome: 'saturated', level, top, rateMax }
}
