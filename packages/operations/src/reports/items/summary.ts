import { rowMetrics, type ReportItem } from '@flamegate/loadtest'
import type { BenchResult } from '../../ports/index.ts'
import type { ItemReading, ItemValues } from './item-reading.ts'
import { measureRows } from './measured-rows.ts'
import { metricName, metricOfRow } from './row-metric.ts'
import { thresholdsOf } from './thresholds.ts'

export async function summaryValues(
  item: ReportItem & { type: 'summary' },
  run: BenchResult,
  at: ItemReading,
): Promise<ItemValues<'summary'>> {
  const { total } = await measureRows(item, run, at)
  return {
    type: 'summary',
    numbers: item.metrics.map((metric) => ({
      metric,
      name: metricName(metric),
      value: total === null ? null : metricOfRow(total, metric),
      unit: rowMetrics[metric],
    })),
    thresholds: await thresholdsOf(at.reading, run),
  }
}
