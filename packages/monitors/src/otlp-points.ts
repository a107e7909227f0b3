import { labelledName, readMetrics, type OtlpMetric } from '@flamegate/live'

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
  return readMetrics(content).flatMap(({ resource, metrics }) => {
    // Programs of one name are told apart by it; what else a resource says is the same for all of its metrics.
    const service = [...resource].filter(([key]) => key === 'service.name')
    return metrics.flatMap((metric) =>
      metric.points.flatMap(({ attributes, startMs, atMs, ...point }) =>
        numbersOf(metric, point).flatMap(({ suffix, unit, means, value }) =>
          value === undefined || !Number.isFinite(value)
            ? []
            : [
                {
                  name: labelledName(`${metric.name}${suffix}`, [...service, ...attributes]),
                  unit,
                  means,
                  value,
                  startMs,
                  atMs,
                },
              ],
        ),
      ),
    )
  })
}

function numbersOf(
  { kind, unit, isDelta, isMonotonic }: OtlpMetric,
  { value, count, sum }: Pick<OtlpMetric['points'][number], 'value' | 'count' | 'sum'>,
) {
  const rising = isDelta ? ('added' as const) : ('total' as const)
  if (kind === 'gauge' || (kind === 'sum' && !isMonotonic))
    return [{ suffix: '', unit, means: 'level' as const, value }]
  if (kind === 'sum') return [{ suffix: '', unit, means: rising, value }]
  return [
    { suffix: '.count', unit: '', means: rising, value: count },
    { suffix: '.sum', unit, means: rising, value: sum },
  ]
}
