import { webVitalNames, webVitals } from '../report/web-vitals.ts'
import { slaBand, type SlaBand } from './sla-profile.ts'

/**
 * Bands to begin with. Response times are the limits of attention by Nielsen (https://www.nngroup.com/articles/response-times-3-important-limits/),
 * web vitals those of https://web.dev/articles/vitals, Apdex the ratings of https://www.apdex.org/; shares of errors are custom.
 */
export function suggestedBands(): SlaBand[] {
  return [
    ...pair({ metric: 'duration', statistic: 'p95' }, 1000, 10_000),
    ...pair({ metric: 'error_share' }, 1, 5),
    { severity: 'warning', metric: 'apdex', apdex_target_ms: 500, from: 0.7, to: 0.85, condition: lasting },
    { severity: 'critical', metric: 'apdex', apdex_target_ms: 500, to: 0.7, condition: lasting },
    ...webVitalNames.flatMap((metric) => {
      const { goodMax, poorAbove } = webVitals[metric]
      return pair({ metric, statistic: 'p75' }, goodMax, poorAbove)
    }),
  ].map((band) => slaBand.parse(band))
}

/** One slow second is no trend. */
const lasting = { type: 'duration', duration_ms: 10_000 } as const

function pair(measure: { metric: string; statistic?: string }, warningFrom: number, criticalFrom: number) {
  return [
    { severity: 'warning', ...measure, from: warningFrom, to: criticalFrom, condition: lasting },
    { severity: 'critical', ...measure, from: criticalFrom, condition: lasting },
  ]
}
