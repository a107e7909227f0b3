import { Link } from '@tanstack/react-router'
import { DataTable } from './data-table.tsx'
import type { Project } from './project-card.tsx'
import { When } from './when.tsx'

/** Projects, one per line. */
export function ProjectTable({ projects, whenEmpty }: { projects: readonly Project[]; whenEmpty: string }) {
  return (
    <DataTable
      label="Projects"
      rows={projects}
      rowKey={({ id }) => id}
      whenEmpty={whenEmpty}
      columns={[
        {
          key: 'name',
          title: 'Project',
          grow: true,
          sortBy: ({ name }) => name.toLowerCase(),
          render: (project) => (
            <Link
              to="/projects/$projectId"
              params={{ projectId: project.id }}
              className="row-link block truncate"
            >
              <span className="font-medium">{project.name}</span>{' '}
              <span className="text-muted">{project.repository ?? project.description}</span>
            </Link>
          ),
        },
        {
          key: 'runs',
          title: 'Runs',
          align: 'right',
          sortBy: (row) => row.run_count,
          render: (row) => row.run_count,
        },
        {
          key: 'benchmarks',
          title: 'Benchmarks',
          align: 'right',
          hideBelow: 'sm',
          sortBy: (row) => row.benchmark_count,
          render: (row) => row.benchmark_count,
        },
        {
          key: 'profiles',
          title: 'Profiles',
          align: 'right',
          hideBelow: 'sm',
          sortBy: (row) => row.profile_count,
          render: (row) => row.profile_count,
        },
        {
          key: 'updated',
          title: 'Changed',
          align: 'right',
          hideBelow: 'lg',
          sortBy: (row) => row.updated_at,
          render: (row) => <When at={row.updated_at} />,
        },
      ]}
    />
  )
}
