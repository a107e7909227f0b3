import { formatBytes, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { saveFile } from '../components/save-file.ts'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'

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
          <DataTable
            label="Usage by day"
            rows={days.toReversed()}
            rowKey={({ day }) => day}
            whenEmpty="Nothing was used in the last 30 days."
            columns={[
              { key: 'day', title: 'Day (UTC)', grow: true, render: ({ day }) => day },
              { key: 'calls', title: 'Calls', align: 'right', render: ({ calls }) => calls.toLocaleString() },
              {
                key: 'uploads',
                title: 'Uploads',
                align: 'right',
                render: ({ uploads }) => uploads.toLocaleString(),
              },
              {
                key: 'uploaded',
                title: 'Uploaded',
                align: 'right',
                hideBelow: 'sm',
                render: ({ upload_bytes }) => formatBytes(upload_bytes),
              },
              {
                key: 'agents',
                title: 'Agent hours',
                align: 'right',
                hideBelow: 'sm',
                render: ({ agent_seconds }) => (agent_seconds / 3600).toFixed(2),
              },
              {
                key: 'stored',
                title: 'Stored',
                align: 'right',
                render: ({ storage_bytes }) => formatBytes(storage_bytes),
              },
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
