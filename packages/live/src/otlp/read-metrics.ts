import { z } from 'zod'
import { attributes, number, parsed, resource, type Attributes } from './shapes.ts'

const buckets = z.object({ offset: number.default(0), bucketCounts: z.array(number).default([]) })
const point = z.object({
  attributes,
  startTimeUnixNano: number.default(0),
  timeUnixNano: number.default(0),
  flags: number.default(0),
  asDouble: number.optional(),
  asInt: number.optional(),
  count: number.optional(),
  sum: number.optional(),
  max: number.optional(),
  bucketCounts: z.array(number).default([]),
  explicitBounds: z.array(number).default([]),
  scale: number.default(0),
  zeroCount: number.default(0),
  positive: buckets.optional(),
  negative: buckets.optional(),
  quantileValues: z.array(z.object({ quantile: number.default(0), value: number.default(0) })).default([]),
})
const data = z.object({
  dataPoints: z.array(point).default([]),
  aggregationTemporality: z
    .union([z.number(), z.string()])
    .transform((word) => word === 1 || word === 'AGGREGATION_TEMPORALITY_DELTA')
    .default(false),
  isMonotonic: z.boolean().default(false),
})
const kinds = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const
const request = z.object({
  resourceMetrics: z
    .array(
      z.object({
        resource,
        scopeMetrics: z
          .array(
            z.object({
              metrics: z
                .array(
                  z.object({
                    name: z.string(),
                    unit: z.string().default(''),
                    gauge: data.optional(),
                    sum: data.optional(),
                    histogram: data.optional(),
                    exponentialHistogram: data.optional(),
                    summary: data.optional(),
                  }),
                )
                .default([]),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
})

export interface OtlpMetric {
  name: string
  unit: string
  kind: (typeof kinds)[number]
  /** What was added since the point before, and not all since the program began. */
  isDelta: boolean
  /** Of sums: they only rise. */
  isMonotonic: boolean
  points: readonly OtlpMetricPoint[]
}

export interface OtlpMetricPoint extends Omit<
  z.output<typeof point>,
  'attributes' | 'startTimeUnixNano' | 'timeUnixNano' | 'flags' | 'asDouble' | 'asInt'
> {
  attributes: Attributes
  /** Of gauges and sums. */
  value: number | undefined
  startMs: number
  atMs: number
}

/** The bit of `flags` that says: nothing was measured. */
const noRecordedValue = 1

/** An ExportMetricsServiceRequest as OTLP/JSON has it, by resource. @throws OtlpError */
export function readMetrics(content: unknown): { resource: Attributes; metrics: OtlpMetric[] }[] {
  const { resourceMetrics } = parsed(request, content, 'ExportMetricsServiceRequest')
  return resourceMetrics.map(({ resource: of, scopeMetrics }) => ({
    resource: of,
    metrics: scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .flatMap((metric) =>
        kinds.flatMap((kind): OtlpMetric[] => {
          const found = metric[kind]
          if (found === undefined) return []
          const { aggregationTemporality: isDelta, isMonotonic, dataPoints } = found
          const points = dataPoints.filter(({ flags }) => (flags & noRecordedValue) === 0).map(pointOf)
          return [{ name: metric.name, unit: metric.unit, kind, isDelta, isMonotonic, points }]
        }),
      ),
  }))
}

function pointOf({
  startTimeUnixNano,
  timeUnixNano,
  asDouble,
  asInt,
  ...rest
}: z.output<typeof point>): OtlpMetricPoint {
  return { ...rest, value: asDouble ?? asInt, startMs: startTimeUnixNano / 1e6, atMs: timeUnixNano / 1e6 }
}
