import { type AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useCall } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { problemWords } from '../problem-words.ts'
import { ValidationState } from '../validation/validation-state.tsx'

type Row = AnswerOf<typeof operations.listVirtualUsers>['virtual_users'][number]

interface Props {
  rows: readonly Row[]
  /** Whether these were deleted. */
  areDeleted: boolean
  mayChange: boolean
  onTag: (tag: string) => void
  whenEmpty: string
}

/** Virtual users of a project, one per line. */
export function VirtualUserTable({ rows, areDeleted, mayChange, onTag, whenEmpty }: Props) {
  const deleting = useCall(operations.deleteVirtualUser, [operations.listVirtualUsers])
  const restoring = useCall(operations.restoreVirtualUser, [operations.listVirtualUsers])
  const duplicating = useCall(operations.duplicateVirtualUser, [operations.listVirtualUsers])
  const restore = ({ id, name }: Row) =>
    restoring.mutate(
      { virtual_user_id: id },
      {
        onSuccess: ({ virtual_user }) => say(`“${virtual_user.name}” is back.`),
        onError: (error) => say(`“${name}” cannot be brought back: ${problemWords(error).detail}`),
      },
    )
  const remove = (row: Row) =>
    deleting.mutate(
      { virtual_user_id: row.id },
      {
        onSuccess: () => say(`“${row.name}” is deleted.`, { label: 'Undo', onPress: () => restore(row) }),
        onError: (error) => say(`“${row.name}” cannot be deleted: ${problemWords(error).detail}`),
      },
    )
  const duplicate = ({ id, name }: Row) =>
    duplicating.mutate(
      { virtual_user_id: id },
      {
        onSuccess: ({ virtual_user }) => say(`“${virtual_user.name}” is there.`),
        onError: (error) => say(`“${name}” cannot be duplicated: ${problemWords(error).detail}`),
      },
    )
  return (
    <DataTable
      label="Virtual users"
      rows={rows}
      rowKey={({ id }) => id}
      stacks
      whenEmpty={whenEmpty}
      columns={[
        {
          key: 'name',
          title: 'Virtual user',
          grow: true,
          sortBy: ({ name }) => name.toLowerCase(),
          render: (row) =>
            areDeleted ? (
              <span className="block truncate font-medium">{row.name}</span>
            ) : (
              <Link
                to="/virtual-users/$virtualUserId"
                params={{ virtualUserId: row.id }}
                className="row-link block truncate"
              >
                <span className="font-medium">{row.name}</span>{' '}
                <span className="text-muted">{row.description}</span>
              </Link>
            ),
        },
        { key: 'tags', title: 'Tags', render: ({ tags }) => <Tags tags={tags} onTag={onTag} /> },
        {
          key: 'source',
          title: 'From',
          hideBelow: 'lg',
          sortBy: ({ source }) => source?.format ?? null,
          render: ({ source }) =>
            source === null ? (
              <span className="text-muted">made here</span>
            ) : (
              <span className="block max-w-48 truncate" title={source.file_name}>
                {source.format} <span className="text-muted">{source.file_name}</span>
              </span>
            ),
        },
        ...(areDeleted
          ? []
          : [
              {
                key: 'validation',
                title: 'Last validation',
                render: (row: Row) => <LastValidation {...row} />,
              },
            ]),
        {
          key: 'requests',
          title: 'Requests',
          align: 'right',
          sortBy: ({ request_count }) => request_count,
          render: ({ request_count, disabled_count }) => (
            <span>
              {request_count.toLocaleString('en')}
              <span className="text-muted sm:hidden"> requests</span>
              {disabled_count === 0 ? null : (
                <span className="text-muted" title="Disabled actions">
                  {' '}
                  ({disabled_count} off)
                </span>
              )}
            </span>
          ),
        },
        {
          key: 'changed',
          title: 'Changed',
          align: 'right',
          sortBy: ({ updated_at }) => updated_at,
          render: ({ updated_at, version }) => (
            <span title={`Version ${version}`}>
              <When at={updated_at} />
            </span>
          ),
        },
        ...(mayChange
          ? [
              {
                key: 'actions',
                title: 'Actions',
                align: 'right' as const,
                render: (row: Row) =>
                  areDeleted ? (
                    <Button
                      aria-label={`Bring back ${row.name}`}
                      isDisabled={restoring.isPending}
                      onPress={() => restore(row)}
                    >
                      Bring back
                    </Button>
                  ) : (
                    // Above the link that takes presses anywhere in the row.
                    <span className="relative z-10 inline-flex">
                      <MoreActions
                        of={row.name}
                        actions={[
                          { label: 'Duplicate', onAction: () => duplicate(row) },
                          { label: 'Delete', onAction: () => remove(row) },
                        ]}
                      />
                    </span>
                  ),
              },
            ]
          : []),
      ]}
    />
  )
}

/** How the newest functional check ended. */
function LastValidation({ id, last_validation: last }: Row) {
  if (last === null) return <span className="text-muted">none</span>
  return (
    <Link
      to="/virtual-users/$virtualUserId/validations/$validationId"
      params={{ virtualUserId: id, validationId: last.id }}
      className="relative z-10 rounded-full"
    >
      <ValidationState state={last.state} />
    </Link>
  )
}

function Tags({ tags, onTag }: { tags: readonly string[]; onTag: (tag: string) => void }) {
  return (
    <span className="relative z-10 flex flex-wrap gap-1">
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-label={`Only those tagged ${tag}`}
          onClick={() => onTag(tag)}
          className="rounded-full hover:opacity-80"
        >
          <Badge>{tag}</Badge>
        </button>
      ))}
    </span>
  )
}
