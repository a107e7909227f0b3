import type { OtlpMetric } from './read-metrics.ts'
import type { OtlpSpan } from './read-spans.ts'

/**
 * What tells a request from all others, as far as it would count twice if it came twice: an exporter that hears no answer sends
 * the same request again (https://opentelemetry.io/docs/specs/otlp/#otlphttp-response), and nothing in it says so. Empty when
 * nothing of it adds up; undefined when something does and has no identity.
 */

export function identityOfSpans(spans: readonly OtlpSpan[]): string | undefined {
  if (spans.some(({ traceId, spanId }) => traceId === '' || spanId === '')) return undefined
  return spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`).join('\n')
}

/** Of totals the last one counts, however often it comes; differences are known by their time. */
export function identityOfMetrics(metrics: readonly OtlpMetric[]): string | undefined {
  const adding = metrics
    .filter(({ isDelta }) => isDelta)
    .flatMap(({ name, points }) => points.map((point) => ({ name, ...point })))
  if (adding.some(({ atMs }) => atMs === 0)) return undefined
  return adding
    .map(({ name, attributes, startMs, atMs }) => JSON.stringify([name, [...attributes], startMs, atMs]))
    .join('\n')
}
