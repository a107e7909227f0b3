import { type AnswerOf, operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { lastMonths, monthInWords } from '../administration/months.ts'
import { useCall } from '../api.ts'
import { useNow } from '../clock.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { saveFile } from '../components/save-file.ts'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { usePages } from '../paged.ts'
import { AdminPage } from '../shell/admin-page.tsx'
import { UsageTable } from '../usage/usage-table.tsx'

type Usage = AnswerOf<typeof operations.listTenantUsage>['usage'][number]

const route = getRouteApi('/app/admin/usage')

const sorts = {
  calls: 'Calls',
  uploads: 'Uploads',
  upload_bytes: 'Uploaded bytes',
  agent_seconds: 'Agent hours',
  storage_bytes: 'Storage',
} as const
type Sort = keyof typeof sorts

/** What every workspace used in a month. For administrators of the installation. */
export function AdminUsagePage() {
  const months = lastMonths(useNow())
  const { month = months[0] ?? '' } = route.useSearch()
  return (
    <AdminPage
      title="Usage"
      lead="What each workspace used in a month of UTC, deleted ones too"
      actions={<ExportUsage month={month} />}
    >
      <MonthUsage month={month} months={months.includes(month) ? months : [month, ...months]} />
    </AdminPage>
  )
}

function MonthUsage({ month, months }: { month: string; months: readonly string[] }) {
  const navigate = route.useNavigate()
  const [sort, setSort] = useState<Sort>('calls')
  const { query, more } = usePages(
    operations.listTenantUsage,
    { month, sort, limit: 50 },
    ({ usage, next_cursor }) => ({ rows: usage, nextCursor: next_cursor }),
  )
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Select
          label="Month"
          choices={months.map((id) => ({ id, label: monthInWords(id) }))}
          value={month}
          onChange={(chosen) => void navigate({ search: { month: chosen } })}
          className="w-48"
        />
        <Select
          label="Most first"
          choices={Object.entries(sorts).map(([id, label]) => ({ id, label }))}
          value={sort}
          onChange={(id) => {
            if (isSort(id)) setSort(id)
          }}
          className="w-48"
        />
      </div>
      <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
        {(usage) => (
          <>
            <UsageOfWorkspaces usage={usage} />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </>
  )
}

function UsageOfWorkspaces({ usage }: { usage: readonly Usage[] }) {
  return (
    <UsageTable
      label="Usage of workspaces"
      rows={usage}
      rowKey={({ workspace_id }) => workspace_id}
      whenEmpty="Nothing was used in that month."
      first={[
        {
          key: 'workspace',
          title: 'Workspace',
          grow: true,
          render: ({ name, slug, workspace_id }) => (
            <span className="flex min-w-0 flex-wrap items-center gap-x-2">
              <span className="font-medium wrap-anywhere">{name ?? 'deleted'}</span>
              <code className="break-all text-sm text-muted">{slug ?? workspace_id}</code>
            </span>
          ),
        },
        { key: 'plan', title: 'Plan', hideBelow: 'sm', render: ({ plan }) => plan },
      ]}
    />
  )
}

function ExportUsage({ month }: { month: string }) {
  const call = useCall(operations.exportTenantUsage, [])
  return (
    <>
      {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
      <Button
        isDisabled={call.isPending}
        onPress={() =>
          call.mutate(
            { month },
            {
              onSuccess: ({ csv }) => {
                const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
                saveFile(url, `usage-${month}.csv`)
                URL.revokeObjectURL(url)
              },
            },
          )
        }
      >
        Export CSV
      </Button>
    </>
  )
}

function isSort(id: string): id is Sort {
  return id in sorts
}
