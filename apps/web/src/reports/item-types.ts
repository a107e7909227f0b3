import type { ReportItemType } from '@flamegate/loadtest/report'

interface ItemType {
  label: string
  /** What it shows. */
  note: string
}

/** What a report can show, by type. */
export const itemTypes: Readonly<Record<ReportItemType, ItemType>> = {
  summary: { label: 'Summary', note: 'numbers of the whole run' },
  insights: { label: 'Insights', note: 'what limited it, what is worst, what changed' },
  thresholds: { label: 'Thresholds', note: 'and SLA profiles, held against what was measured' },
  chart: { label: 'Chart', note: 'metrics over the time of the run' },
  table: { label: 'Results', note: 'a row for each action' },
  top: { label: 'Top', note: 'the actions with the most of a metric' },
  distribution: { label: 'Distribution', note: 'of response times' },
  web_vitals: { label: 'Web vitals', note: 'what loading pages was like in a real browser' },
  phases: { label: 'Phases', note: 'what the time of requests went into' },
  errors: { label: 'Errors', note: 'by action and class' },
  generators: { label: 'Load generators', note: 'whether they were the bottleneck' },
  monitors: { label: 'Monitors', note: 'counters of the system under test' },
  comparison: { label: 'Comparison', note: 'all runs beside the first' },
  trend: { label: 'Trend', note: 'a point for each run' },
  text: { label: 'Text', note: 'words of your own' },
}

/** The usual title of a type that may be newer than this page. */
export function itemTypeLabel(type: string): string {
  return Object.entries(itemTypes).find(([name]) => name === type)?.[1].label ?? type
}
