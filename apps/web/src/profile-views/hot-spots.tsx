import { operations, type RawInputOf } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { functionColumns } from './function-columns.tsx'

interface Props {
  profileId: string
  selection: Omit<RawInputOf<typeof operations.analyzeProfile>, 'profile_id'>
  /** A function was chosen, by name. */
  onChoose: (name: string) => void
}

const orders = [
  { id: 'self', label: 'By self value' },
  { id: 'total', label: 'By total value' },
] as const

/** The functions that cost most: the flame graph as a table. */
export function HotSpots({ profileId, selection, onChoose }: Props) {
  const [sortBy, setSortBy] = useState<'self' | 'total'>('self')
  const query = useAnswer(
    operations.analyzeProfile,
    { profile_id: profileId, sort_by: sortBy, top_n: 30, ...selection },
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
        {({ functions, unit, row_count }) => (
          <div className="flex flex-col gap-2">
            <DataTable
              label="Hot spots"
              rows={functions}
              rowKey={(row) => `${row.function_name} ${row.file} ${row.line}`}
              whenEmpty="This profile has no samples."
              columns={functionColumns(unit, (row) => onChoose(row.function_name))}
            />
            {row_count > functions.length ? (
              <p className="text-sm text-muted">
                The top {functions.length} of {row_count.toLocaleString()} functions.
              </p>
            ) : null}
          </div>
        )}
      </Answer>
    </Section>
  )
}
