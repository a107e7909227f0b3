import { type AnswerOf, formatBytes, formatDifference, type operations } from '@flamegate/contract'
import { DifferenceBar } from '../charts/difference-bar.tsx'
import { largestDifference } from '../charts/diverging-scale.ts'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { SizeShare } from './size-share.tsx'

type HeapClass = AnswerOf<typeof operations.getHeapSnapshotClasses>['classes'][number]

interface Props {
  rows: readonly HeapClass[]
  /** Of the whole heap. */
  totalBytes: number
  /** Whether the rows have changes since a baseline. */
  isCompared: boolean
  sort: string
  onSort: (sort: string) => void
  onClass: (className: string) => void
}

/** Classes with their objects; pressing one shows these. */
export function ClassTable({ rows, totalBytes, isCompared, sort, onSort, onClass }: Props) {
  return (
    <DataTable
      label="Classes"
      rows={rows}
      rowKey={(row) => row.class_name}
      sort={sort}
      onSort={onSort}
      whenEmpty="No class fits."
      columns={[nameColumn(onClass), ...(isCompared ? changeColumns(rows) : sizeColumns(totalBytes))]}
    />
  )
}

function nameColumn(onClass: (className: string) => void): Column<HeapClass> {
  return {
    key: 'class',
    title: 'Class',
    grow: true,
    sortBy: (row) => row.class_name.toLowerCase(),
    render: (row) => (
      <span className="flex items-center gap-2">
        {row.object_count === 0 || row.class_name === '' ? (
          <span className="truncate font-mono text-muted">{row.class_name || '(without a name)'}</span>
        ) : (
          <button
            type="button"
            title={row.class_name}
            onClick={() => onClass(row.class_name)}
            className="row-link min-w-0 truncate text-left font-mono"
          >
            {row.class_name}
          </button>
        )}
        {row.change?.is_new === true ? <Badge tone="accent">new</Badge> : null}
        {row.object_count === 0 ? <Badge>gone</Badge> : null}
        {row.detached_count === 0 ? null : (
          <Badge tone="caution">{row.detached_count.toLocaleString()} detached</Badge>
        )}
      </span>
    ),
  }
}

function sizeColumns(totalBytes: number): readonly Column<HeapClass>[] {
  return [
    {
      key: 'count',
      title: 'Objects',
      align: 'right',
      sortBy: (row) => row.object_count,
      render: (row) => row.object_count.toLocaleString(),
    },
    {
      key: 'self',
      title: 'Self size',
      align: 'right',
      hideBelow: 'sm',
      sortBy: (row) => row.shallow_size,
      render: (row) => <SizeShare bytes={row.shallow_size} totalBytes={totalBytes} />,
    },
    {
      key: 'retained',
      title: 'Retained size',
      align: 'right',
      sortBy: (row) => row.retained_size,
      render: (row) => <SizeShare bytes={row.retained_size} totalBytes={totalBytes} />,
    },
  ]
}

/** Changes are of what objects of a class are themselves, so that they add up. */
function changeColumns(rows: readonly HeapClass[]): readonly Column<HeapClass>[] {
  const largest = largestDifference(rows.map((row) => row.change?.shallow_size ?? 0))
  return [
    {
      key: 'count',
      title: 'Objects',
      align: 'right',
      hideBelow: 'lg',
      sortBy: (row) => row.object_count,
      render: (row) => row.object_count.toLocaleString(),
    },
    {
      key: 'added',
      title: 'Added',
      align: 'right',
      hideBelow: 'sm',
      sortBy: (row) => row.change?.added_count ?? 0,
      render: ({ change }) => (
        <Count count={change?.added_count ?? 0} bytes={change?.added_size ?? 0} sign="+" />
      ),
    },
    {
      key: 'removed',
      title: 'Removed',
      align: 'right',
      hideBelow: 'sm',
      sortBy: (row) => row.change?.removed_count ?? 0,
      render: ({ change }) => (
        <Count count={change?.removed_count ?? 0} bytes={change?.removed_size ?? 0} sign="−" />
      ),
    },
    {
      key: 'count-change',
      title: 'Change',
      align: 'right',
      sortBy: (row) => row.change?.object_count ?? 0,
      render: ({ change }) => formatDifference(change?.object_count ?? 0, 'count'),
    },
    {
      key: 'growth',
      title: 'Self change',
      align: 'right',
      sortBy: (row) => row.change?.shallow_size ?? 0,
      render: ({ change }) => (
        <span className="flex items-center justify-end gap-3">
          <DifferenceBar difference={change?.shallow_size ?? 0} largest={largest} />
          <span className="min-w-22">{formatDifference(change?.shallow_size ?? 0, 'bytes')}</span>
        </span>
      ),
    },
    {
      key: 'retained-growth',
      title: 'Retained change',
      align: 'right',
      hideBelow: 'sm',
      sortBy: (row) => row.change?.retained_size ?? 0,
      render: ({ change }) => formatDifference(change?.retained_size ?? 0, 'bytes'),
    },
  ]
}

function Count({ count, bytes, sign }: { count: number; bytes: number; sign: string }) {
  if (count === 0) return <span className="text-muted">–</span>
  return (
    <span title={formatBytes(bytes)}>
      {sign}
      {count.toLocaleString()}
    </span>
  )
}
