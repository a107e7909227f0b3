import { benchReport, type BenchReport, type ReportItem, reportTemplate } from './bench-report.ts'

/** What a report of one run shows when nobody says otherwise; with monitors or browsers, what these saw, too. */
export function standardItems({ hasMonitors = false, hasBrowsers = false } = {}): ReportItem[] {
  return itemsOf([
    { id: 'summary', type: 'summary' },
    { id: 'insights', type: 'insights' },
    { id: 'thresholds', type: 'thresholds' },
    {
      id: 'load',
      type: 'chart',
      title: 'Users and requests',
      lines: [{ metric: 'rate' }, { metric: 'users', axis: 'right' }],
    },
    {
      id: 'response-times',
      type: 'chart',
      title: 'Response times',
      lines: [{ metric: 'p50' }, { metric: 'p95' }, { metric: 'p99' }],
    },
    {
      id: 'error-share',
      type: 'chart',
      title: 'Errors',
      lines: [{ metric: 'error_share' }, { metric: 'error_rate', axis: 'right' }],
    },
    { id: 'table', type: 'table' },
    { id: 'slowest', type: 'top', title: 'Slowest actions', metric: 'p95', count: 10 },
    { id: 'distribution', type: 'distribution' },
    ...(hasBrowsers ? [{ id: 'web-vitals', type: 'web_vitals' }] : []),
    { id: 'phases', type: 'phases' },
    { id: 'errors', type: 'errors' },
    ...(hasMonitors ? [{ id: 'monitors', type: 'monitors' }] : []),
    { id: 'generators', type: 'generators' },
  ])
}

/** What a report of several runs shows: each beside the first. */
export function comparisonItems(runCount: number): ReportItem[] {
  const runs = Array.from({ length: runCount }, (_, run) => run)
  return itemsOf([
    { id: 'comparison', type: 'comparison' },
    { id: 'insights', type: 'insights', run: runCount - 1 },
    {
      id: 'response-times',
      type: 'chart',
      title: 'Response times (p95)',
      lines: runs.map((run) => ({ metric: 'p95', run })),
    },
    {
      id: 'load',
      type: 'chart',
      title: 'Requests',
      lines: runs.map((run) => ({ metric: 'rate', run })),
    },
    { id: 'distribution', type: 'distribution', runs },
    { id: 'actions', type: 'comparison', title: 'By action', rows: 'actions', metrics: ['rate', 'p95'] },
  ])
}

/** What a report over many runs shows. */
export function trendItems(): ReportItem[] {
  return itemsOf([{ id: 'trend', type: 'trend' }])
}

/** The report that a run gets when it starts. */
export function newReport(name: string, benchResultIds: string[], items = standardItems()): BenchReport {
  return benchReport.parse({ name, bench_result_ids: benchResultIds, items })
}

/** With what is usual where nothing is said. */
function itemsOf(items: object[]): ReportItem[] {
  return reportTemplate.parse({ name: 'Standard', items }).items
}
