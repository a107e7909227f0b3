import { formatMetric } from './format-metric.ts'
import { evenTicks } from './log-ticks.ts'
import type { PlotAxis } from './plot-frame.tsx'

/** An axis from 0, with some air above the largest value. */
export function axisFromZero(values: readonly (number | null)[], unit: string): PlotAxis {
  const most = values.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0)
  const high = most > 0 ? most * 1.08 : 1
  return {
    range: [0, high],
    ticks: evenTicks(0, high).map((at) => ({ at, label: formatMetric(at, unit) })),
  }
}
