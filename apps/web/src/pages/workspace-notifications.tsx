import { operations, roleAtLeast } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import type { BenchNotification } from '../notifications/bench-notification.ts'
import { BenchNotificationDialog } from '../notifications/bench-notification-dialog.tsx'
import {
  BenchDeliveries,
  BenchNotificationTable,
  DeleteBenchNotification,
  TestBenchNotification,
} from '../notifications/bench-notification-section.tsx'
import { WorkspacePage } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'

const route = getRouteApi('/app/workspaces/$workspaceId/notifications')

type Doing =
  | { what: 'new' }
  | { what: 'change' | 'test' | 'deliveries' | 'delete'; notification: BenchNotification }

/** Who is told of load tests of a workspace, and how. */
export function WorkspaceNotificationsPage() {
  const { workspaceId } = route.useParams()
  const role = useMe().workspaces.find(({ id }) => id === workspaceId)?.role ?? 'viewer'
  const mayChange = roleAtLeast(role, 'admin')
  const query = useAnswer(operations.listNotifications, { workspace_id: workspaceId })
  const projects = useAnswer(operations.listProjects, { workspace_id: workspaceId, limit: 100 }).data
    ?.projects
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <WorkspacePage
      workspaceId={workspaceId}
      title="Notifications"
      lead="Who is told of the load tests of all projects, and how. What else happens in a project is told by its own notifications."
      actions={
        mayChange ? (
          <Button variant="primary" onPress={() => setDoing({ what: 'new' })}>
            <PlusIcon />
            New notification
          </Button>
        ) : undefined
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ notifications }) =>
          notifications.length === 0 ? (
            <EmptyState title="No notifications yet">
              <p>
                E-mail, Slack, Microsoft Teams, Google Chat, Webex, Jira or a program of yours can be told
                when a load test begins, ends, passes or fails.
              </p>
            </EmptyState>
          ) : (
            <BenchNotificationTable
              rows={notifications}
              mayChange={mayChange}
              onDo={(what, notification) => setDoing({ what, notification })}
            />
          )
        }
      </Answer>
      {doing?.what === 'new' ? (
        <BenchNotificationDialog workspaceId={workspaceId} projects={projects ?? []} onClose={close} />
      ) : null}
      {doing?.what === 'change' ? (
        <BenchNotificationDialog
          workspaceId={workspaceId}
          projects={projects ?? []}
          notification={doing.notification}
          onClose={close}
        />
      ) : null}
      {doing?.what === 'test' ? (
        <TestBenchNotification notification={doing.notification} onClose={close} />
      ) : null}
      {doing?.what === 'deliveries' ? (
        <BenchDeliveries notification={doing.notification} onClose={close} />
      ) : null}
      {doing?.what === 'delete' ? (
        <DeleteBenchNotification notification={doing.notification} onClose={close} />
      ) : null}
    </WorkspacePage>
  )
}
