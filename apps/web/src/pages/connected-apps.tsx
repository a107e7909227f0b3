import { type AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { Page } from '../shell/page.tsx'

type App = AnswerOf<typeof operations.listConnectedApps>['connected_apps'][number]

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

function AppTable({ apps }: { apps: readonly App[] }) {
  return (
    <DataTable
      label="Connected apps"
      rows={apps}
      rowKey={({ id }) => id}
      whenEmpty=""
      columns={[
        {
          key: 'app',
          title: 'App',
          grow: true,
          sortBy: (app) => app.client_name.toLowerCase(),
          render: (app) => (
            <span className="block truncate font-medium" title={app.client_id}>
              {app.client_name}
            </span>
          ),
        },
        { key: 'scopes', title: 'May', render: (app) => app.scopes.join(', ') },
        {
          key: 'connected',
          title: 'Connected',
          hideBelow: 'lg',
          render: (app) => <When at={app.connected_at} />,
        },
        {
          key: 'used',
          title: 'Last used',
          hideBelow: 'sm',
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
        { key: 'revoke', title: 'Revoke', align: 'right', render: (app) => <Revoke app={app} /> },
      ]}
    />
  )
}

function Revoke({ app }: { app: App }) {
  const [isOpen, setOpen] = useState(false)
  const call = useCall(operations.revokeConnectedApp, [operations.listConnectedApps])
  return (
    <>
      <Button variant="quiet" aria-label={`Revoke ${app.client_name}`} onPress={() => setOpen(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        title={`Cut ${app.client_name} off?`}
        action="Revoke"
        isOpen={isOpen}
        isPending={call.isPending}
        error={call.error}
        onClose={() => setOpen(false)}
        onConfirm={() =>
          call.mutate(
            { connected_app_id: app.id },
            {
              onSuccess: () => {
                setOpen(false)
                say(`${app.client_name} is cut off.`)
              },
            },
          )
        }
      >
        Its tokens stop working within a second. It can ask you again.
      </ConfirmDialog>
    </>
  )
}
