import { type AnswerOf, operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { AddAgent } from '../load-generators/add-agent.tsx'
import { CheckDialog } from '../monitors/check-dialog.tsx'
import { MonitorDialog } from '../monitors/monitor-dialog.tsx'
import type { Monitor } from '../monitors/monitor-draft.ts'
import { MonitorTable } from '../monitors/monitor-table.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/monitors')

type Doing = { what: 'new' } | { what: 'change' | 'delete' | 'check' | 'counters'; monitor: Monitor }

/** What is collected of the systems under test while load tests of a project go on. */
export function ProjectMonitorsPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  const mayAddAgents = useMayInProject(projectId, 'admin')
  const query = useAnswer(operations.listMonitors, { project_id: projectId }, { pollWhile: () => true })
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <ProjectPage
      projectId={projectId}
      section="scenarios"
      title="Monitors"
      crumbs={[{ label: 'Scenarios', href: `/projects/${projectId}/scenarios` }]}
      lead="What an agent near the system collects of it while load tests go on"
      actions={
        mayChange ? (
          <Button variant="primary" onPress={() => setDoing({ what: 'new' })}>
            <PlusIcon />
            New monitor
          </Button>
        ) : undefined
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ monitors, agents, workspace_id: workspaceId }) => (
          <div className="flex flex-col gap-6">
            {monitors.length === 0 ? (
              <EmptyState title="No monitors yet">
                <p>
                  One collects processor, memory, queries, connections and more of a machine, database or
                  program during every load test, and raises alarms by thresholds. They are shown in the
                  report.
                </p>
              </EmptyState>
            ) : (
              <MonitorTable
                rows={monitors}
                mayChange={mayChange}
                onAct={(what, monitor) => setDoing({ what, monitor })}
              />
            )}
            <Section
              title="Agents that collect"
              aside={mayAddAgents ? <AddAgent workspaceId={workspaceId} work="monitors" /> : undefined}
            >
              <Agents rows={agents} />
            </Section>
          </div>
        )}
      </Answer>
      {doing?.what === 'new' ? (
        <MonitorDialog
          projectId={projectId}
          onSaved={(monitor) => setDoing({ what: 'check', monitor })}
          onClose={close}
        />
      ) : null}
      {doing?.what === 'change' ? (
        <MonitorDialog
          projectId={projectId}
          monitor={doing.monitor}
          onSaved={({ name }) => say(`${name} is saved.`)}
          onClose={close}
        />
      ) : null}
      {doing?.what === 'check' || doing?.what === 'counters' ? (
        <CheckDialog monitor={doing.monitor} isAsked={doing.what === 'check'} onClose={close} />
      ) : null}
      {doing?.what === 'delete' ? (
        <ConfirmCall
          title={`Delete ${doing.monitor.name}?`}
          action="Delete"
          operation={operations.deleteMonitor}
          input={{ monitor_id: doing.monitor.id }}
          outdates={[operations.listMonitors]}
          onDone={() => say(`${doing.monitor.name} is deleted.`)}
          onClose={close}
        >
          It is collected no more. What it collected stays in the reports.
        </ConfirmCall>
      ) : null}
    </ProjectPage>
  )
}

function Agents({ rows }: { rows: AnswerOf<typeof operations.listMonitors>['agents'] }) {
  return (
    <DataTable
      label="Agents that collect"
      rows={rows}
      rowKey={({ name }) => name}
      whenEmpty="None was heard of this week. An agent runs near the system, with one command."
      columns={[
        { key: 'name', title: 'Agent', grow: true, render: ({ name }) => name },
        { key: 'group', title: 'Group', render: ({ agent_group: group }) => group },
        {
          key: 'state',
          title: 'State',
          render: ({ is_online: isOnline, last_seen_at: seenAt }) =>
            isOnline ? <Badge tone="better">online</Badge> : <When at={seenAt} />,
        },
      ]}
    />
  )
}
