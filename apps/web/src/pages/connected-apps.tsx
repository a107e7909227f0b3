import { type AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { buttonClass } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { Page } from '../shell/page.tsx'

export type ConnectedApp = AnswerOf<typeof operations.listConnectedApps>['connected_apps'][number]

/** The agents and apps that act for a person. */
export function ConnectedAppsPage() {
  const query = useAnswer(operations.listConnectedApps, {})
  return (
    <Page title="Connected apps" lead="Agents and apps that you allowed to act for you">
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ connected_apps }) =>
          connected_apps.length === 0 ? <NoApps /> : <AppTable apps={connected_apps} />
        }
      </Answer>
    </Page>
  )
}

function NoApps() {
  return (
    <EmptyState title="You have connected no app">
      <p>
        Connect Claude, ChatGPT, VS Code, Cursor or any other MCP client, and ask it about your benchmarks.
      </p>
      <Link to="/connect" className={buttonClass('primary', 'self-start')}>
        Connect a client
      </Link>
    </EmptyState>
  )
}

function AppTable({ apps }: { apps: readonly ConnectedApp[] }) {
  return (
    <DataTable
      label="Connected apps"
      rows={apps}
      rowKey={({ id }) => id}
      stacks
      whenEmpty=""
      columns={[
        {
          key: 'app',
          title: 'App',
          grow: true,
          sortBy: (app) => app.client_name.toLowerCase(),
          render: (app) => (
            <span className="flex min-w-0 items-center gap-2">
              <Link
                to="/connected-apps/$appId"
                params={{ appId: app.id }}
                className="row-link truncate font-medium"
              >
                {app.client_name}
              </Link>
              {app.verified_domain === null ? (
                <Badge tone="caution">unverified</Badge>
              ) : (
                <Badge tone="better">{app.verified_domain}</Badge>
              )}
            </span>
          ),
        },
        {
          key: 'scopes',
          title: 'May',
          render: (app) => (app.read_only ? 'only read' : app.scopes.join(', ')),
        },
        {
          key: 'workspaces',
          title: 'Workspaces',
          hideBelow: 'lg',
          render: (app) => app.workspace_ids?.length.toLocaleString() ?? 'all',
        },
        {
          key: 'connected',
          title: 'Connected',
          hideBelow: 'lg',
          sortBy: (app) => app.connected_at,
          render: (app) => <When at={app.connected_at} />,
        },
        {
          key: 'used',
          title: 'Last used',
          hideBelow: 'sm',
          sortBy: (app) => app.last_used_at,
          render: (app) => (app.last_used_at === null ? 'never' : <When at={app.last_used_at} />),
        },
        {
          key: 'calls',
          title: 'Calls',
          align: 'right',
          hideBelow: 'sm',
          sortBy: (app) => app.call_count,
          render: (app) => app.call_count.toLocaleString(),
        },
      ]}
    />
  )
}
