import { MarkdownView } from '../markdown/markdown-view.tsx'
import { ChartItem } from './chart-item.tsx'
import { ComparisonItem } from './comparison-item.tsx'
import { DistributionItem } from './distribution-item.tsx'
import { ErrorsItem } from './errors-item.tsx'
import { GeneratorsItem } from './generators-item.tsx'
import type { ItemPlace } from './item-place.ts'
import { InsightsItem } from './insights-item.tsx'
import { MonitorsItem } from './monitors-item.tsx'
import { PhasesItem } from './phases-item.tsx'
import type { ItemAnswer } from './report-source.ts'
import { SummaryItem } from './summary-item.tsx'
import { TableItem } from './table-item.tsx'
import { ThresholdsItem } from './thresholds-item.tsx'
import { TopItem } from './top-item.tsx'
import { TrendItem } from './trend-item.tsx'
import { WebVitalsItem } from './web-vitals-item.tsx'

interface Props {
  item: ItemPlace
  title: string
  values: ItemAnswer['values']
}

/** What an item has to show. */
export function ItemValuesView({ item, title, values }: Props) {
  switch (values.type) {
    case 'summary':
      return <SummaryItem values={values} />
    case 'chart':
      return <ChartItem title={title} values={values} />
    case 'table':
      return <TableItem title={title} values={values} />
    case 'top':
      return <TopItem title={title} values={values} />
    case 'distribution':
      return <DistributionItem values={values} />
    case 'errors':
      return <ErrorsItem title={title} run={item.run} values={values} />
    case 'phases':
      return <PhasesItem title={title} values={values} />
    case 'web_vitals':
      return <WebVitalsItem title={title} values={values} />
    case 'thresholds':
      return <ThresholdsItem values={values} />
    case 'generators':
      return <GeneratorsItem title={title} values={values} />
    case 'monitors':
      return <MonitorsItem title={title} values={values} />
    case 'text':
      return <MarkdownView text={values.markdown} />
    case 'insights':
      return <InsightsItem itemId={item.id} values={values} />
    case 'comparison':
      return <ComparisonItem title={title} values={values} />
    default:
      return <TrendItem values={values} />
  }
}
