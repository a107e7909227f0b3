import type { Distribution } from '../scenario/evaluate-threshold.ts'

/**
 * Web vitals by their names in documents, with the bounds that https://web.dev/articles/vitals gives for the 75th percentile of all
 * page loads: good up to the one, poor above the other.
 */
export const webVitals = {
  lcp: { name: 'Largest Contentful Paint', unit: 'ms', goodMax: 2500, poorAbove: 4000 },
  inp: { name: 'Interaction to Next Paint', unit: 'ms', goodMax: 200, poorAbove: 500 },
  cls: { name: 'Cumulative Layout Shift', unit: 'score', goodMax: 0.1, poorAbove: 0.25 },
  fcp: { name: 'First Contentful Paint', unit: 'ms', goodMax: 1800, poorAbove: 3000 },
  ttfb: { name: 'Time to First Byte', unit: 'ms', goodMax: 800, poorAbove: 1800 },
} as const satisfies Record<string, { name: string; unit: string; goodMax: number; poorAbove: number }>
export type WebVital = keyof typeof webVitals

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the object above
export const webVitalNames = Object.keys(webVitals) as [WebVital, ...WebVital[]]

export function isWebVital(name: string): name is WebVital {
  return Object.hasOwn(webVitals, name)
}

export const vitalRatings = ['good', 'needs_improvement', 'poor'] as const
export type VitalRating = (typeof vitalRatings)[number]

export function ratingOf(vital: WebVital, value: number): VitalRating {
  const { goodMax, poorAbove } = webVitals[vital]
  return value > poorAbove ? 'poor' : value > goodMax ? 'needs_improvement' : 'good'
}

/** Of values that are few enough to be kept: percentiles are the value of the nearest rank. Undefined where there is none. */
export function distributionOf(values: readonly number[]): Distribution | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const [min] = sorted
  const max = sorted.at(-1)
  if (min === undefined || max === undefined) return undefined
  return {
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    min,
    max,
    percentile: (percent) => sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? max,
  }
}
