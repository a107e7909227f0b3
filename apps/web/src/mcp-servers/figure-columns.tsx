import { formatBytes, formatMs, formatShare, type McpFigures } from '@flamegate/contract'
import type { Column } from '../components/data-table.tsx'

const none = <span className="text-muted">–</span>

/** Columns with the key figures of a measurement; `figuresOf` finds them in a row. */
export function figureColumnsOf<Row>(figuresOf: (row: Row) => McpFigures | null): Column<Row>[] {
  const column = (
    title: string,
    of: (figures: McpFigures) => number | null,
    words: (value: number) => string | null,
    hideBelow?: 'sm' | 'lg',
  ): Column<Row> => {
    const valueOf = (row: Row) => {
      const figures = figuresOf(row)
      return figures === null ? null : of(figures)
    }
    return {
      key: title,
      title,
      align: 'right',
      ...(hideBelow === undefined ? {} : { hideBelow }),
      sortBy: valueOf,
      render: (row) => {
        const value = valueOf(row)
        return value === null ? none : words(value)
      },
    }
  }
  return [
    column(
      'Per second',
      ({ requests_per_second: rate }) => rate,
      (rate) => rate.toFixed(1),
    ),
    column('p50', ({ p50_ms: ms }) => ms, formatMs, 'lg'),
    column('p95', ({ p95_ms: ms }) => ms, formatMs),
    column('p99', ({ p99_ms: ms }) => ms, formatMs, 'lg'),
    column('Failed', ({ error_rate: share }) => share, formatShare),
    column(
      'CPU',
      ({ cpu_percent: percent }) => percent,
      (percent) => `${percent.toFixed(0)} %`,
      'lg',
    ),
    column('Memory', ({ rss_bytes_max: bytes }) => bytes, formatBytes, 'lg'),
    column('Score', ({ score }) => score, String),
    column('Findings', ({ findings }) => findings, String, 'sm'),
  ]
}
