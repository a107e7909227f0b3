import { boundedBuckets, bucketSlots, type Bucket } from '../bucket-slots.ts'
import { labelledName } from '../labelled-name.ts'
import { measuredUnit } from '../measured-unit.ts'
import { percentName } from '../percent-name.ts'
import type { Reading } from '../reading.ts'
import type { OtlpMetric, OtlpMetricPoint } from './read-metrics.ts'

/** What the points of a metric say; those without a number say nothing. */
export function metricReadings(metric: OtlpMetric): Reading[] {
  return metric.points.flatMap((point) => {
    const said =
      metric.kind === 'gauge' || metric.kind === 'sum' ? valueOf(metric, point) : sumsOf(metric, point)
    return said === undefined
      ? []
      : [
          {
            ...said,
            name: labelledName(metric.name, point.attributes),
            atMs: point.atMs,
            isDelta: metric.isDelta,
          },
        ]
  })
}

type Said = Omit<Reading, 'name' | 'atMs' | 'isDelta'>

function valueOf({ kind, isMonotonic, unit }: OtlpMetric, { value }: OtlpMetricPoint): Said | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined
  return kind === 'sum' && isMonotonic
    ? { kind: 'counter', unit, counters: { added: value } }
    : { kind: 'gauge', unit, levels: { value } }
}

/** Of durations and sizes it is known how to tell percentiles; of others only how many there were, and their sum. */
function sumsOf(metric: OtlpMetric, point: OtlpMetricPoint): Said | undefined {
  const { count, sum, max } = point
  if (count === undefined || !Number.isFinite(count) || count < 0) return undefined
  const kind = metric.kind === 'summary' ? 'summary' : 'histogram'
  const measured = measuredUnit(metric.unit)
  const hasSum = sum !== undefined && Number.isFinite(sum)
  if (measured === undefined || !hasSum)
    return { kind, unit: metric.unit, counters: { count, ...(hasSum ? { sum } : {}) } }
  const { name, factor } = measured
  const buckets = bucketsOf(metric, point)
  const quantiles = point.quantileValues.filter(({ value }) => Number.isFinite(value))
  return {
    kind,
    unit: '',
    distributions: {
      [name]: {
        count,
        total: sum * factor,
        ...(max === undefined || !Number.isFinite(max) ? {} : { max: max * factor }),
        ...(buckets.length === 0
          ? {}
          : {
              histogram: bucketSlots(
                buckets.map((each) => ({ ...each, from: each.from * factor, to: each.to * factor })),
              ),
            }),
        ...(quantiles.length === 0
          ? {}
          : {
              percentiles: Object.fromEntries(
                quantiles.map(({ quantile, value }) => [percentName(quantile), value * factor]),
              ),
            }),
      },
    },
  }
}

function bucketsOf({ kind }: OtlpMetric, point: OtlpMetricPoint): Bucket[] {
  if (kind === 'histogram') return boundedBuckets(point.explicitBounds, point.bucketCounts)
  if (kind !== 'exponentialHistogram') return []
  // https://opentelemetry.io/docs/specs/otel/metrics/data-model/#exponentialhistogram
  const base = 2 ** (2 ** -point.scale)
  const { offset, bucketCounts } = point.positive ?? { offset: 0, bucketCounts: [] }
  const below = (point.negative?.bucketCounts ?? []).reduce((sum, count) => sum + count, point.zeroCount)
  return [
    { from: 0, to: 0, count: below },
    ...bucketCounts.map((count, index) => ({
      from: base ** (offset + index),
      to: base ** (offset + index + 1),
      count,
    })),
  ]
}
