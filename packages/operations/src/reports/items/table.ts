import { rowMetrics, type ReportItem } from '@flamegate/loadtest'
import type { BenchResult } from '../../ports/index.ts'
import { nameApart } from '../name-apart.ts'
import type { ItemReading, ItemValues } from './item-reading.ts'
import { fullName, measureRows, wantedRows } from './measured-rows.ts'
import { metricOfRow } from './row-metric.ts'

export async function tableValues(
  item: ReportItem & { type: 'table' },
  run: BenchResult,
  at: ItemReading,
): Promise<ItemValues<'table'>> {
  const { rows, total } = await measureRows(item, run, at)
  return { type: 'table', columns: item.columns, rows: wantedRows(rows, item.rows), total }
}

export async function topValues(
  { metric, count, ...item }: ReportItem & { type: 'top' },
  run: BenchResult,
  at: ItemReading,
): Promise<ItemValues<'top'>> {
  const { rows } = await measureRows(item, run, at)
  const entries = wantedRows(rows, item.rows).flatMap((row) => {
    const value = metricOfRow(row, metric)
    return value === null ? [] : [{ name: fullName(row), value, row }]
  })
  return {
    type: 'top',
    metric,
    unit: rowMetrics[metric],
    entries: entries.toSorted((a, b) => b.value - a.value).slice(0, count),
  }
}

export async function phaseValues(
  { count, ...item }: ReportItem & { type: 'phases' },
  run: BenchResult,
  at: ItemReading,
): Promise<ItemValues<'phases'>> {
  const { rows } = await measureRows(item, run, at)
  const taken = new Set<string>()
  const ofActions = wantedRows(rows, 'actions').flatMap((row) => {
    if (row.action === null || row.phases_ms === null) return []
    // By their order in the plan, as in comparisons.
    const name = nameApart(fullName(row), taken)
    taken.add(name)
    return [{ action: row.action, name, ...row.phases_ms }]
  })
  return {
    type: 'phases',
    rows: ofActions.toSorted((a, b) => sumOf(b) - sumOf(a)).slice(0, count),
  }
}

function sumOf({ dns, connect, tls, wait, download }: ItemValues<'phases'>['rows'][number]): number {
  return dns + connect + tls + wait + download
}
