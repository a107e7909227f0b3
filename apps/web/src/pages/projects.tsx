import { operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { Answer } from '../components/answer.tsx'
import { DataTable } from '../components/data-table.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { usePages } from '../paged.ts'
import { Page } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'

/** The repositories and projects of all workspaces. */
export function ProjectsPage() {
  const { workspaces } = useMe()
  const { query, more } = usePages(operations.listRepositories, { limit: 50 }, (answer) => ({
    rows: answer.repositories,
    nextCursor: answer.next_cursor,
  }))
  const workspaceName = (id: string) => workspaces.find((workspace) => workspace.id === id)?.name ?? ''
  return (
    <Page title="All projects" lead="Repositories and projects of all your workspaces">
      <Answer query={query} skeleton={<SkeletonTable />}>
        {(rows) => (
          <>
            <DataTable
              label="Projects"
              rows={rows}
              rowKey={({ project_id }) => project_id}
              whenEmpty="No projects yet. Make one in a workspace."
              columns={[
                {
                  key: 'name',
                  title: 'Project',
                  grow: true,
                  sortBy: ({ name }) => name.toLowerCase(),
                  render: (row) => (
                    <Link
                      to="/projects/$projectId"
                      params={{ projectId: row.project_id }}
                      className="row-link block truncate"
                    >
                      <span className="font-medium">{row.name}</span>{' '}
                      <span className="text-muted">{row.repository ?? row.description}</span>
                    </Link>
                  ),
                },
                {
                  key: 'workspace',
                  title: 'Workspace',
                  hideBelow: 'sm',
                  sortBy: (row) => workspaceName(row.workspace_id),
                  render: (row) => <span className="block truncate">{workspaceName(row.workspace_id)}</span>,
                },
                {
                  key: 'runs',
                  title: 'Runs',
                  align: 'right',
                  sortBy: (row) => row.run_count,
                  render: (row) => row.run_count.toLocaleString(),
                },
              ]}
            />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </Page>
  )
}
