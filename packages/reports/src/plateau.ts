import type { Moment } from './measured-run.ts'

/** Loads within this share of the highest are the same. */
const sameLoad = 0.05

/** The longest stretch in which the load was as high as it got, without its first and its last moment, which may be of a ramp. */
export function plateauOf(moments: readonly Moment[]): Moment[] {
  const top = Math.max(...moments.map(({ load }) => load))
  let longest: Moment[] = []
  let stretch: Moment[] = []
  for (const moment of moments) {
    stretch = moment.load >= (1 - sameLoad) * top ? [...stretch, moment] : []
    if (stretch.length > longest.length) longest = stretch
  }
  return longest.slice(1, -1)
}
