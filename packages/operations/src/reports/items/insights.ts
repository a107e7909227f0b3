import type { ReportItem } from '@flamegate/loadtest'
import { insightsOfRun } from '../insights-of-run.ts'
import type { ItemReading, ItemValues } from './item-reading.ts'

export async function insightValues(
  item: ReportItem & { type: 'insights' },
  { reading, projectId, report }: ItemReading,
): Promise<ItemValues<'insights'>> {
  return { type: 'insights', insights: await insightsOfRun(reading, projectId, report, item.run) }
}
