import { type AnswerOf, formatQuantity, type operations } from '@flamegate/contract'
import type { Column } from '../components/data-table.tsx'

type Analysis = AnswerOf<typeof operations.analyzeProfile>
export type FunctionRow = Analysis['functions'][number]

interface Values {
  self_value: number
  self_percent: number
  total_value: number
  total_percent: number
}

/** A function with its place; pressing it chooses it. */
export function functionColumns(
  unit: string,
  onChoose: (row: FunctionRow) => void,
): readonly Column<FunctionRow>[] {
  return [
    {
      key: 'function',
      title: 'Function',
      grow: true,
      sortBy: (row) => row.function_name,
      render: (row) => (
        <span className="block truncate">
          <button
            type="button"
            title={row.function_name}
            onClick={() => onChoose(row)}
            className="row-link max-w-full truncate text-left align-bottom font-mono"
          >
            {row.function_name}
          </button>{' '}
          <PlaceOf row={row} />
        </span>
      ),
    },
    {
      key: 'origin',
      title: 'Origin',
      hideBelow: 'lg',
      sortBy: (row) => row.origin,
      render: (row) => <span className="whitespace-nowrap">{row.origin}</span>,
    },
    ...valueColumns<FunctionRow>(unit),
  ]
}

/** Where its source is; a link where the site with the repository has it. */
function PlaceOf({ row }: { row: FunctionRow }) {
  if (row.file === null) return null
  const place = `${row.file.replace('file://', '')}${row.line === null ? '' : `:${row.line}`}`
  if (row.function_url === null) return <span className="text-sm text-muted">{place}</span>
  return (
    <a
      href={row.function_url}
      target="_blank"
      rel="noreferrer"
      className="relative z-10 text-sm text-muted underline hover:text-text"
    >
      {place}
    </a>
  )
}

/** Self and total, each as a value and as a share. */
export function valueColumns<Row extends Values>(unit: string): readonly Column<Row>[] {
  return [
    {
      key: 'self',
      title: 'Self',
      align: 'right',
      hideBelow: 'sm',
      sortBy: (row) => row.self_value,
      render: (row) => formatQuantity(row.self_value, unit),
    },
    {
      key: 'self-share',
      title: 'Self %',
      align: 'right',
      sortBy: (row) => row.self_percent,
      render: (row) => row.self_percent.toFixed(1),
    },
    {
      key: 'total',
      title: 'Total',
      align: 'right',
      hideBelow: 'sm',
      sortBy: (row) => row.total_value,
      render: (row) => formatQuantity(row.total_value, unit),
    },
    {
      key: 'total-share',
      title: 'Total %',
      align: 'right',
      sortBy: (row) => row.total_percent,
      render: (row) => row.total_percent.toFixed(1),
    },
  ]
}
