import { type AnswerOf, formatQuantity, type operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { Checkbox } from './checkbox.tsx'
import { DataTable } from './data-table.tsx'
import { RunStatus } from './run-status.tsx'
import { When } from './when.tsx'

export type Profile = AnswerOf<typeof operations.listProfiles>['profiles'][number]

interface Props {
  profiles: readonly Profile[]
  whenEmpty: string
  /** Ids of those that are ticked; without `onToggle` there is nothing to tick. */
  chosen?: readonly string[]
  onToggle?: (id: string) => void
}

/** Profiles, newest first. */
export function ProfileTable({ profiles, whenEmpty, chosen, onToggle }: Props) {
  return (
    <DataTable
      label="Profiles"
      rows={profiles}
      rowKey={({ id }) => id}
      whenEmpty={whenEmpty}
      columns={[
        ...(onToggle === undefined
          ? []
          : [
              {
                key: 'chosen',
                title: '✓',
                render: ({ id, name, status }: Profile) => (
                  <span className="relative z-10 inline-flex">
                    <Checkbox
                      isSelected={chosen?.includes(id) ?? false}
                      isDisabled={status !== 'READY'}
                      onChange={() => onToggle(id)}
                    >
                      <span className="sr-only">Choose {name}</span>
                    </Checkbox>
                  </span>
                ),
              },
            ]),
        {
          key: 'name',
          title: 'Profile',
          grow: true,
          render: (profile) => (
            <Link
              to="/profiles/$profileId"
              params={{ profileId: profile.id }}
              className="row-link block truncate font-medium"
            >
              {profile.name}
            </Link>
          ),
        },
        { key: 'type', title: 'Type', render: (profile) => profile.type },
        { key: 'format', title: 'Format', hideBelow: 'lg', render: (profile) => profile.format ?? '–' },
        {
          key: 'status',
          title: 'Status',
          hideBelow: 'sm',
          render: (profile) => <RunStatus status={profile.status} />,
        },
        {
          key: 'total',
          title: 'Total',
          align: 'right',
          hideBelow: 'sm',
          render: ({ sample_types, default_sample_type }) => {
            const shown = sample_types.find(({ type }) => type === default_sample_type)
            return shown === undefined ? '–' : formatQuantity(shown.total, shown.unit)
          },
        },
        { key: 'when', title: 'When', align: 'right', render: (profile) => <When at={profile.created_at} /> },
      ]}
    />
  )
}
