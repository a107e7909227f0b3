import { type McpTargetShape, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { buttonClass } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { Facts } from '../components/facts.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { Caution } from '../components/caution.tsx'
import { SetThresholds } from '../live-alerts/live-thresholds.tsx'
import { MeasureTarget } from '../mcp-servers/measure-target.tsx'
import { MonitorTarget } from '../mcp-servers/monitor-target.tsx'
import { SessionDetails } from '../mcp-servers/session-details.tsx'
import { SessionTable } from '../mcp-servers/session-table.tsx'
import { TargetTrend } from '../mcp-servers/target-trend.tsx'
import { usePages } from '../paged.ts'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/mcp-targets/$mcpTargetId')

/** One MCP server: how it does, how it went, and each time that it was measured. */
export function McpTargetPage() {
  const { mcpTargetId } = route.useParams()
  const query = useAnswer(
    operations.getMcpTarget,
    { mcp_target_id: mcpTargetId },
    { pollWhile: () => true, pollEveryMs: 5000 },
  )
  const target = query.data?.mcp_target
  const mayChange = useMayInProject(target?.project_id, 'member')
  return (
    <ProjectPage
      projectId={target?.project_id ?? (query.error === null ? undefined : null)}
      section="live-apps"
      title={target?.name ?? 'MCP server'}
      lead={target?.address ?? undefined}
      crumbs={
        target === undefined
          ? []
          : [{ label: 'MCP servers', href: `/projects/${target.project_id}/mcp-servers` }]
      }
      actions={
        mayChange && target !== undefined ? (
          <>
            <MeasureTarget target={target} />
            <MonitorTarget target={target} />
            <SetThresholds
              place={{ target: 'mcp_target', project_id: target.project_id, mcp_target_id: mcpTargetId }}
            />
            <DeleteTarget target={target} />
          </>
        ) : undefined
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
        {({ mcp_target: shown }) => <Target target={shown} />}
      </Answer>
    </ProjectPage>
  )
}

function Target({ target }: { target: McpTargetShape }) {
  const { id, project_id: projectId, last_session: last, monitor, collectors, note } = target
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {target.alerts === 0 ? null : (
        <Caution>
          It is beyond a threshold:{' '}
          <Link to="/projects/$projectId/alerts" params={{ projectId }} className="font-medium underline">
            {target.alerts === 1 ? '1 alert' : `${target.alerts} alerts`}
          </Link>
        </Caution>
      )}
      <Facts
        entries={{
          'Measured by':
            collectors.length === 0 ? 'no connected collector: by commands' : collectors.join(', '),
          Monitored:
            monitor === null
              ? 'no'
              : `every ${monitor.interval_seconds} s, sessions kept for ${monitor.retention_hours} h`,
          'Tools that are called':
            target.operations.length === 0
              ? 'those that say that they only read'
              : target.operations.join(', '),
          Note: note,
        }}
      />
      <TargetTrend mcpTargetId={id} />
      <Sessions target={target} />
      {last === null ? null : (
        <>
          <h2 className="mt-2 text-xl font-semibold">The latest session</h2>
          <SessionDetails mcpTargetId={id} sessionId={last.id} />
        </>
      )}
    </div>
  )
}

function Sessions({ target }: { target: McpTargetShape }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { query, more } = usePages(
    operations.listMcpSessions,
    { project_id: target.project_id, mcp_target_id: target.id, limit: 20 },
    ({ mcp_sessions, next_cursor }) => ({ rows: mcp_sessions, nextCursor: next_cursor }),
    true,
  )
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id].slice(-2))
  // Which one is the base, time says: the older.
  const [head, base] = (query.data ?? []).filter(({ id }) => chosen.includes(id)).map(({ id }) => id)
  return (
    <Section
      title="Sessions"
      aside={
        head === undefined || base === undefined ? (
          <span className="text-sm text-muted">Choose two to compare them</span>
        ) : (
          <Link
            to="/mcp-targets/$mcpTargetId/compare"
            params={{ mcpTargetId: target.id }}
            search={{ base, head }}
            className={buttonClass()}
          >
            Compare
          </Link>
        )
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={4} />}>
        {(sessions) => <SessionTable sessions={sessions} chosen={chosen} onToggle={toggle} />}
      </Answer>
      <LoadMore {...more} />
    </Section>
  )
}

function DeleteTarget({ target }: { target: McpTargetShape }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = route.useNavigate()
  return (
    <>
      <MoreActions of={target.name} actions={[{ label: 'Delete…', onAction: () => setOpen(true) }]} />
      {isOpen ? (
        <ConfirmCall
          title={`Delete ${target.name}?`}
          action="Delete for good"
          operation={operations.deleteMcpTarget}
          input={{ mcp_target_id: target.id }}
          outdates={[operations.listMcpTargets]}
          onDone={() =>
            void navigate({
              to: '/projects/$projectId/mcp-servers',
              params: { projectId: target.project_id },
            })
          }
          onClose={() => setOpen(false)}
        >
          Its {target.sessions} sessions and their reports are removed for good. Profiles stay.
        </ConfirmCall>
      ) : null}
    </>
  )
}
