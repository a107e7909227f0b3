import type { ReportItem } from '@flamegate/loadtest'
import type { BenchResult } from '../ports/index.ts'
import { chartValues } from './items/chart.ts'
import { comparisonValues } from './items/comparison.ts'
import { distributionValues } from './items/distribution.ts'
import { errorValues } from './items/errors.ts'
import { generatorValues } from './items/generators.ts'
import { insightValues } from './items/insights.ts'
import type { ItemReading, ItemValues } from './items/item-reading.ts'
import { summaryValues } from './items/summary.ts'
import { phaseValues, tableValues, topValues } from './items/table.ts'
import { thresholdValues } from './items/thresholds.ts'
import { trendValues } from './items/trend.ts'
import { webVitalValues } from './items/web-vitals.ts'
import { monitorValues } from './monitor-values.ts'
import { runAt } from './reaching.ts'

/** The values of an item, as they are now. @throws Problem `bench_result_not_found` when its run was deleted */
export async function itemValues(item: ReportItem, at: ItemReading): Promise<ItemValues> {
  const run = (): Promise<BenchResult> => runAt(at.reading, at.projectId, at.report, item.run)
  switch (item.type) {
    case 'summary':
      return summaryValues(item, await run(), at)
    case 'chart':
      return chartValues(item, at)
    case 'table':
      return tableValues(item, await run(), at)
    case 'top':
      return topValues(item, await run(), at)
    case 'distribution':
      return distributionValues(item, at)
    case 'errors':
      return errorValues(item, await run(), at.reading)
    case 'phases':
      return phaseValues(item, await run(), at)
    case 'web_vitals':
      return webVitalValues(item, await run(), at)
    case 'thresholds':
      return thresholdValues(await run(), at)
    case 'generators':
      return generatorValues(item, await run(), at.reading)
    case 'monitors':
      return monitorValues(item, await run(), at)
    case 'text':
      return { type: 'text', markdown: item.markdown }
    case 'insights':
      return insightValues(item, at)
    case 'comparison':
      return comparisonValues(item, at)
    default:
      return trendValues(item, at)
  }
}

/** What an item is called when nobody says otherwise. */
export function titleOf({ title, type }: ReportItem): string {
  return title === '' ? usualTitles[type] : title
}

const usualTitles: Readonly<Record<ReportItem['type'], string>> = {
  summary: 'Summary',
  chart: 'Chart',
  table: 'Results',
  top: 'Most of all',
  distribution: 'Distribution of response times',
  errors: 'Errors',
  phases: 'What requests spent their time on',
  web_vitals: 'Web vitals',
  thresholds: 'Thresholds',
  generators: 'Load generators',
  monitors: 'Monitors',
  text: 'Notes',
  insights: 'Insights',
  comparison: 'Comparison',
  trend: 'Trend',
}
