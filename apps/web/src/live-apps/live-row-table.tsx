import { formatMeasure, type LiveRowShape } from '@flamegate/contract'
import { type Column, DataTable } from '../components/data-table.tsx'
import { columnTitle } from './column-title.ts'

interface Props {
  label: string
  rows: readonly LiveRowShape[]
  /** Opens the log of a row, where there is one. */
  onOpen?: ((row: LiveRowShape) => void) | undefined
  whenEmpty: string
}

/** Rows of a section of a live app, with a column for each measure that any of them has. */
export function LiveRowTable({ label, rows, onOpen, whenEmpty }: Props) {
  const measures = [...new Set(rows.flatMap((row) => Object.keys(row.measures)))]
  const word = (key: 'kind' | 'state', title: string): Column<LiveRowShape>[] =>
    rows.some((row) => row[key] !== null)
      ? [{ key, title, sortBy: (row) => row[key], render: (row) => row[key] }]
      : []
  const texts = [...new Set(rows.flatMap((row) => Object.keys(row.texts)))]
  return (
    <DataTable
      label={label}
      rows={rows}
      rowKey={({ id, session }) => `${session} ${id}`}
      whenEmpty={whenEmpty}
      columns={[
        {
          key: 'name',
          title: 'Name',
          grow: true,
          sortBy: ({ name }) => name.toLowerCase(),
          render: (row) => <NameOf row={row} onOpen={onOpen} />,
        },
        ...word('kind', 'Kind'),
        ...word('state', 'State'),
        ...texts.map((name): Column<LiveRowShape> => ({
          key: `text ${name}`,
          title: columnTitle(name),
          render: (row) => <span className="block max-w-60 truncate">{row.texts[name]}</span>,
        })),
        ...(rows.some(({ share_percent: share }) => share !== null)
          ? [
              {
                key: 'share',
                title: 'Share',
                align: 'right',
                sortBy: (row: LiveRowShape) => row.share_percent,
                render: ({ share_percent: share }: LiveRowShape) =>
                  share === null ? '' : `${share.toFixed(1)} %`,
              } as const,
            ]
          : []),
        ...measures.map((name): Column<LiveRowShape> => ({
          key: name,
          title: columnTitle(name),
          align: 'right',
          sortBy: (row) => row.measures[name] ?? null,
          render: (row) => formatMeasure(name, row.measures[name]) ?? <span className="text-muted">–</span>,
        })),
      ]}
    />
  )
}

function NameOf({ row, onOpen }: { row: LiveRowShape; onOpen: Props['onOpen'] }) {
  const words = (
    <>
      <span className="block truncate font-medium">{row.name}</span>
      {row.place === null ? null : <span className="block truncate text-sm text-muted">{row.place}</span>}
    </>
  )
  if (onOpen === undefined) return <div className="min-w-40">{words}</div>
  return (
    <button
      type="button"
      className="row-link block w-full min-w-40 rounded-sm text-left hover:underline"
      onClick={() => onOpen(row)}
    >
      {words}
    </button>
  )
}
