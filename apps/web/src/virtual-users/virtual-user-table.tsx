import { type AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { DataTable } from '../components/data-table.tsx'
import { changedColumn } from '../design/changed-column.tsx'
import { TagButtons } from '../design/tag-buttons.tsx'
import { useActionsColumn } from '../design/use-actions-column.tsx'
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
  const actions = useActionsColumn(
    {
      duplicate: operations.duplicateVirtualUser,
      remove: operations.deleteVirtualUser,
      restore: operations.restoreVirtualUser,
      list: operations.listVirtualUsers,
      inputOf: ({ id }: Row) => ({ virtual_user_id: id }),
      copyIn: ({ virtual_user }) => virtual_user.name,
    },
    areDeleted,
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
        { key: 'tags', title: 'Tags', render: ({ tags }) => <TagButtons tags={tags} onTag={onTag} /> },
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
        changedColumn,
        ...(mayChange ? [actions] : []),
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
