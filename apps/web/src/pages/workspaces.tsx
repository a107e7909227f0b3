import { operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { Page } from '../shell/page.tsx'

/** The workspaces a person belongs to. */
export function WorkspacesPage() {
  const query = useAnswer(operations.listWorkspaces, {})
  return (
    <Page title="Workspaces" lead="Where you are a member, and what you may do there">
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ workspaces }) => (
          <DataTable
            label="Workspaces"
            rows={workspaces}
            rowKey={({ id }) => id}
            whenEmpty="You are in no workspace. Ask an admin to add you."
            columns={[
              {
                key: 'name',
                title: 'Workspace',
                grow: true,
                sortBy: ({ name }) => name,
                render: ({ id, name }) => (
                  <Link
                    to="/workspaces/$workspaceId/projects"
                    params={{ workspaceId: id }}
                    className="row-link block truncate font-medium"
                  >
                    {name}
                  </Link>
                ),
              },
              { key: 'role', title: 'Your role', render: ({ role }) => <Badge>{role}</Badge> },
              { key: 'plan', title: 'Plan', hideBelow: 'sm', render: ({ plan }) => plan },
            ]}
          />
        )}
      </Answer>
    </Page>
  )
}
