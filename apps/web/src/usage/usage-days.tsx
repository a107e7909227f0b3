import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { saveFile } from '../components/save-file.ts'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { UsageTable } from './usage-table.tsx'

/** What a workspace used on each of the last days, also as a file. */
export function UsageDays({ workspaceId }: { workspaceId: string }) {
  const query = useAnswer(operations.exportUsage, { workspace_id: workspaceId })
  const { data } = query
  return (
    <Section
      title="By day"
      aside={
        data === undefined ? undefined : (
          <Button
            onPress={() => {
              const url = URL.createObjectURL(new Blob([data.csv], { type: 'text/csv' }))
              saveFile(url, `usage-${workspaceId}-${data.from}-${data.until}.csv`)
              URL.revokeObjectURL(url)
            }}
          >
            Export CSV
          </Button>
        )
      }
    >
      <Answer query={query} skeleton={<SkeletonTable />}>
        {({ days }) => (
          <UsageTable
            label="Usage by day"
            rows={days.toReversed()}
            rowKey={({ day }) => day}
            whenEmpty="Nothing was used in the last 30 days."
            first={[{ key: 'day', title: 'Day (UTC)', grow: true, render: ({ day }) => day }]}
          />
        )}
      </Answer>
    </Section>
  )
}
