import { z } from 'zod'
import { OtlpError } from './otlp-protobuf.ts'

/**
 * Whole numbers of 64 bits are texts in JSON, and so is what is no number (`NaN`, `Infinity`), which programs tell where nothing
 * was measured: https://protobuf.dev/programming-guides/json/
 */
const number = z
  .union([z.number(), z.nan(), z.literal([Infinity, -Infinity]), z.string(), z.null()])
  .transform((value) => (value === null ? Number.NaN : Number(value)))
const attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z
        .object({
          stringValue: z.string().optional(),
          boolValue: z.boolean().optional(),
          intValue: number.optional(),
          doubleValue: number.optional(),
        })
        .default({}),
    }),
  )
  .default([])
const point = z.object({
  attributes,
  startTimeUnixNano: number.default(0),
  timeUnixNano: number.default(0),
  asDouble: number.optional(),
  asInt: number.optional(),
  count: number.optional(),
  sum: number.optional(),
})
const data = z.object({
  dataPoints: z.array(point).default([]),
  aggregationTemporality: z
    .union([z.number(), z.string()])
    .transform((word) => (word === 1 || word === 'AGGREGATION_TEMPORALITY_DELTA' ? 'delta' : 'cumulative'))
    .default('cumulative'),
  isMonotonic: z.boolean().default(false),
})
const request = z.object({
  resourceMetrics: z
    .array(
      z.object({
        resource: z.object({ attributes }).optional(),
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

/** A number that a program told, at a time of its own clock. */
export interface OtlpPoint {
  name: string
  unit: string
  /** total: of all since it began; added: since the point before; level: as it is. */
  means: 'total' | 'added' | 'level'
  value: number
  startMs: number
  atMs: number
}

/** All numbers of a request, as OTLP/JSON has it. @throws OtlpError */
export function otlpPoints(content: unknown): OtlpPoint[] {
  const parsed = request.safeParse(content)
  if (!parsed.success) throw new OtlpError('This is no ExportMetricsServiceRequest.')
  return parsed.data.resourceMetrics.flatMap(({ resource, scopeMetrics }) => {
    // Programs of one name are told apart by it; what else a resource says is the same for all of its metrics.
    const service = resource?.attributes.filter(({ key }) => key === 'service.name') ?? []
    return scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap((metric) => {
        const name = (suffix: string, own: z.output<typeof attributes>) =>
          `${metric.name}${suffix}${labelsOf([...service, ...own])}`
        const numbers = [
          ...pointsOf(metric.gauge, () => 'level' as const),
          ...pointsOf(metric.sum, (of) => (of.isMonotonic ? risingAs(of) : ('level' as const))),
        ].map(([each, means]) => ({
          ...each,
          suffix: '',
          unit: metric.unit,
          means,
          value: each.asDouble ?? each.asInt,
        }))
        const sums = [metric.histogram, metric.exponentialHistogram, metric.summary]
          .flatMap((of) => pointsOf(of, risingAs))
          .flatMap(([each, means]) => [
            { ...each, suffix: '.count', unit: '', means, value: each.count },
            { ...each, suffix: '.sum', unit: metric.unit, means, value: each.sum },
          ])
        return [...numbers, ...sums].flatMap(({ suffix, unit, means, value, ...each }) =>
          value === undefined || !Number.isFinite(value)
            ? []
            : [
                {
                  name: name(suffix, each.attributes),
                  unit,
                  means,
                  value,
                  startMs: each.startTimeUnixNano / 1e6,
                  atMs: each.timeUnixNano / 1e6,
                },
              ],
        )
      }),
    )
  })
}

type Data = z.output<typeof data>

function risingAs({ aggregationTemporality }: Data): 'total' | 'added' {
  return aggregationTemporality === 'delta' ? 'added' : 'total'
}

function pointsOf<Means>(
  of: Data | undefined,
  meaning: (of: Data) => Means,
): [point: Data['dataPoints'][number], means: Means][] {
  return (of?.dataPoints ?? []).map((each) => [each, meaning(of ?? data.parse({}))])
}

function labelsOf(of: z.output<typeof attributes>): string {
  if (of.length === 0) return ''
  const labels = of.map(({ key, value }) => {
    const { stringValue, boolValue, intValue, doubleValue } = value
    return `${key}=${JSON.stringify(String(stringValue ?? boolValue ?? intValue ?? doubleValue ?? ''))}`
  })
  return `{${labels.join(',')}}`
}
