import { type AnswerOf, formatQuantity, type operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { DataTable } from './data-table.tsx'
import { RunStatus } from './run-status.tsx'
import { When } from './when.tsx'

export type Profile = AnswerOf<typeof operations.listProfiles>['profiles'][number]

/** Profiles, newest first. */
export function ProfileTable({ profiles, whenEmpty }: { profiles: readonly Profile[]; whenEmpty: string }) {
  return (
    <DataTable
      label="Profiles"
      rows={profiles}
      rowKey={({ id }) => id}
      whenEmpty={whenEmpty}
      columns={[
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
