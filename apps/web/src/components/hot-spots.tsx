import { formatQuantity, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from './answer.tsx'
import { DataTable } from './data-table.tsx'
import { Section } from './section.tsx'
import { Select } from './select.tsx'
import { SkeletonTable } from './skeleton.tsx'

interface Props {
  profileId: string
  sampleType: string | undefined
  /** A function was chosen, by name. */
  onChoose: (name: string) => void
}

const orders = [
  { id: 'self', label: 'By self value' },
  { id: 'total', label: 'By total value' },
] as const

/** The functions that cost most: the flame graph as a table. */
export function HotSpots({ profileId, sampleType, onChoose }: Props) {
  const [sortBy, setSortBy] = useState<'self' | 'total'>('self')
  const query = useAnswer(
    operations.analyzeProfile,
    {
      profile_id: profileId,
      sort_by: sortBy,
      top_n: 30,
      ...(sampleType === undefined ? {} : { sample_type: sampleType }),
    },
    { keepPrevious: true },
  )
  return (
    <Section
      title="Hot spots"
      aside={
        <Select
          label="Order of hot spots"
          hideLabel
          className="w-44"
          choices={orders}
          value={sortBy}
          onChange={(id) => setSortBy(id === 'total' ? 'total' : 'self')}
        />
      }
    >
      <Answer query={query} skeleton={<SkeletonTable />}>
        {({ functions, unit, function_count }) => (
          <div className="flex flex-col gap-2">
            <DataTable
              label="Hot spots"
              rows={functions}
              rowKey={(row) => `${row.function_name} ${row.file} ${row.line}`}
              whenEmpty="This profile has no samples."
              columns={[
                {
                  key: 'function',
                  title: 'Function',
                  grow: true,
                  render: (row) => (
                    <button
                      type="button"
                      title={row.function_name}
                      onClick={() => onChoose(row.function_name)}
                      className="row-link block max-w-full truncate text-left font-mono"
                    >
                      {row.function_name}
                      <span className="font-sans text-sm text-muted">
                        {row.file === null
                          ? ''
                          : ` ${row.file.replace('file://', '')}${row.line === null ? '' : `:${row.line}`}`}
                      </span>
                    </button>
                  ),
                },
                {
                  key: 'origin',
                  title: 'Origin',
                  hideBelow: 'lg',
                  render: (row) => <span className="whitespace-nowrap">{row.origin}</span>,
                },
                {
                  key: 'self',
                  title: 'Self',
                  align: 'right',
                  hideBelow: 'sm',
                  render: (row) => formatQuantity(row.self_value, unit),
                },
                {
                  key: 'self-share',
                  title: 'Self %',
                  align: 'right',
                  render: (row) => row.self_percent.toFixed(1),
                },
                {
                  key: 'total',
                  title: 'Total',
                  align: 'right',
                  hideBelow: 'sm',
                  render: (row) => formatQuantity(row.total_value, unit),
                },
                {
                  key: 'total-share',
                  title: 'Total %',
                  align: 'right',
                  render: (row) => row.total_percent.toFixed(1),
                },
              ]}
            />
            {function_count > functions.length ? (
              <p className="text-sm text-muted">
                The top {functions.length} of {function_count.toLocaleString()} functions.
              </p>
            ) : null}
          </div>
        )}
      </Answer>
    </Section>
  )
}
