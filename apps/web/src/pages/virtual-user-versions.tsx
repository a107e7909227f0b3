import { type AnswerOf, operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { DataTable } from '../components/data-table.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock, SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { useVirtualUser, VirtualUserFrame } from '../validation/virtual-user-frame.tsx'
import { ChangeList } from '../virtual-users/change-list.tsx'

const route = getRouteApi('/app/virtual-users/$virtualUserId/versions')

type Version = AnswerOf<typeof operations.listVirtualUserVersions>['versions'][number]

const perPage = 50

/** Every version of a virtual user; two are compared, and an earlier one is brought back. */
export function VirtualUserVersionsPage() {
  const { virtualUserId } = route.useParams()
  const { compare, with: other } = route.useSearch()
  const navigate = route.useNavigate()
  const user = useVirtualUser(virtualUserId).data?.virtual_user
  const mayChange = useMayInProject(user?.project_id, 'member')
  const [restored, setRestored] = useState<Version>()
  const query = useVersions(virtualUserId)
  const compareWith = (from: number, to: number) =>
    void navigate({ search: { compare: String(from), with: String(to) }, replace: true, resetScroll: false })
  return (
    <VirtualUserFrame virtualUserId={virtualUserId} current="/versions" title="Versions">
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(versions) => {
          const newest = versions[0]?.version ?? 1
          const [from, to] = [Number(compare ?? newest - 1), Number(other ?? newest)]
          return (
            <div className="flex flex-col gap-8">
              <div>
                <DataTable
                  label="Versions"
                  rows={versions}
                  rowKey={({ version }) => String(version)}
                  stacks
                  whenEmpty="No versions."
                  columns={[
                    {
                      key: 'version',
                      title: 'Version',
                      render: ({ version, label }) => (
                        <span className="font-medium">
                          {version}
                          {label === null ? '' : ` “${label}”`}
                        </span>
                      ),
                    },
                    {
                      key: 'change',
                      title: 'What',
                      grow: true,
                      render: ({ change }) => (
                        <span className="line-clamp-2 break-words" title={change}>
                          {change}
                        </span>
                      ),
                    },
                    {
                      key: 'by',
                      title: 'By',
                      render: ({ author_email, author_client }) => (
                        <span
                          className="block max-w-52 truncate"
                          title={`${author_email} (${author_client})`}
                        >
                          {author_email ?? 'somebody who left'}
                        </span>
                      ),
                    },
                    { key: 'when', title: 'When', render: ({ created_at }) => <When at={created_at} /> },
                    {
                      key: 'actions',
                      title: 'Actions',
                      align: 'right',
                      render: (each) => (
                        <span className="flex justify-end gap-2">
                          {each.version === 1 ? null : (
                            <Button
                              aria-label={`Changes of version ${each.version}`}
                              onPress={() => compareWith(each.version - 1, each.version)}
                            >
                              Changes
                            </Button>
                          )}
                          {!mayChange || each.version === newest ? null : (
                            <Button
                              aria-label={`Restore… version ${each.version}`}
                              onPress={() => setRestored(each)}
                            >
                              Restore…
                            </Button>
                          )}
                        </span>
                      ),
                    },
                  ]}
                />
                <LoadMore
                  hasMore={query.hasNextPage}
                  isLoading={query.isFetchingNextPage}
                  onMore={() => void query.fetchNextPage()}
                />
              </div>
              {newest === 1 ? null : (
                <Comparison
                  virtualUserId={virtualUserId}
                  newest={newest}
                  from={from}
                  to={to}
                  onChange={compareWith}
                />
              )}
            </div>
          )
        }}
      </Answer>
      {restored === undefined ? null : (
        <RestoreVersion
          virtualUserId={virtualUserId}
          version={restored.version}
          onClose={() => setRestored(undefined)}
        />
      )}
    </VirtualUserFrame>
  )
}

function useVersions(virtualUserId: string) {
  const input = { virtual_user_id: virtualUserId, limit: perPage }
  return useInfiniteQuery({
    queryKey: [operations.listVirtualUserVersions.id, 'pages', input],
    queryFn: ({ pageParam, signal }) =>
      client.call(operations.listVirtualUserVersions, { ...input, before_version: pageParam }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    placeholderData: keepPreviousData,
    select: ({ pages }) => pages.flatMap(({ versions }) => versions),
  })
}

interface ComparisonProps {
  virtualUserId: string
  newest: number
  from: number
  to: number
  onChange: (from: number, to: number) => void
}

function Comparison({ virtualUserId, newest, from, to, onChange }: ComparisonProps) {
  const query = useAnswer(
    operations.listVirtualUserVersions,
    { virtual_user_id: virtualUserId, compare: `${from}..${to}`, limit: 1 },
    { keepPrevious: true },
  )
  const choices = Array.from({ length: newest }, (_, index) => ({
    id: String(newest - index),
    label: `Version ${newest - index}`,
  }))
  return (
    <Section
      title={`From version ${from} to ${to}`}
      aside={
        <span className="flex flex-wrap items-center gap-2">
          <Select
            label="Earlier version"
            hideLabel
            className="w-36"
            value={String(from)}
            onChange={(id) => onChange(Number(id), to)}
            choices={choices}
          />
          <span className="text-muted">to</span>
          <Select
            label="Later version"
            hideLabel
            className="w-36"
            value={String(to)}
            onChange={(id) => onChange(from, Number(id))}
            choices={choices}
          />
        </span>
      }
    >
      <Answer query={query} skeleton={<SkeletonBlock height="10rem" />}>
        {({ changes, change_count }) => (
          <ChangeList virtualUserId={virtualUserId} changes={changes ?? []} count={change_count ?? 0} />
        )}
      </Answer>
    </Section>
  )
}

interface RestoreProps {
  virtualUserId: string
  version: number
  onClose: () => void
}

function RestoreVersion({ virtualUserId, version, onClose }: RestoreProps) {
  const call = useCall(operations.patchVirtualUser, [
    operations.listVirtualUserVersions,
    operations.getVirtualUserDocument,
    operations.getVirtualUser,
    operations.listVirtualUsers,
  ])
  return (
    <ConfirmDialog
      title={`Go back to version ${version}?`}
      action="Restore"
      isOpen
      isPending={call.isPending}
      error={call.error}
      onClose={onClose}
      onConfirm={() =>
        call.mutate(
          { virtual_user_id: virtualUserId, restore_version: version },
          {
            onSuccess: ({ virtual_user: user }) => {
              say(`Version ${user.version} is as version ${version} was.`)
              onClose()
            },
          },
        )
      }
    >
      It becomes a new version. Those in between stay, and can be restored as well.
    </ConfirmDialog>
  )
}
