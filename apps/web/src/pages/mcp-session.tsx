import { formatDurationNs, type McpSessionShape, operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Facts } from '../components/facts.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import type { JsonObject } from '../documents/json.ts'
import { figureColumnsOf } from '../mcp-servers/figure-columns.tsx'
import { SessionDetails } from '../mcp-servers/session-details.tsx'
import { SessionResult } from '../mcp-servers/session-result.tsx'
import { SessionState } from '../mcp-servers/session-table.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/mcp-sessions/$mcpSessionId')

const isUnderWay = ({ state }: McpSessionShape) => state === 'PENDING' || state === 'RUNNING'

/** One measurement of an MCP server. */
export function McpSessionPage() {
  const { mcpSessionId } = route.useParams()
  const query = useAnswer(
    operations.getMcpSession,
    { mcp_session_id: mcpSessionId },
    { pollWhile: ({ mcp_session: session }) => isUnderWay(session) },
  )
  const session = query.data?.mcp_session
  const mayChange = useMayInProject(session?.project_id, 'member')
  return (
    <ProjectPage
      projectId={session?.project_id ?? (query.error === null ? undefined : null)}
      section="live-apps"
      title={session === undefined ? 'Session' : `${session.command} ${session.label ?? ''}`.trim()}
      lead={
        session === undefined ? undefined : (
          <span className="flex flex-wrap items-center gap-x-3">
            <SessionState state={session.state} />
            <When at={session.started_at ?? session.created_at} />
            <span>{session.message}</span>
          </span>
        )
      }
      crumbs={
        session === undefined
          ? []
          : [
              { label: 'MCP servers', href: `/projects/${session.project_id}/mcp-servers` },
              { label: session.target, href: `/mcp-targets/${session.mcp_target_id}` },
            ]
      }
      actions={
        mayChange && session !== undefined && !isUnderWay(session) ? (
          <DeleteSession session={session} />
        ) : undefined
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
        {({ mcp_session: shown, result }) => <Session session={shown} result={result} />}
      </Answer>
    </ProjectPage>
  )
}

function Session({ session, result }: { session: McpSessionShape; result: JsonObject | null }) {
  const { figures, mcp_target_id: mcpTargetId, server_version: version, collector, origin } = session
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Facts
        entries={{
          'MCP server': session.target,
          Version: version,
          Length: figures === null ? null : formatDurationNs(figures.duration_ms * 1e6),
          Calls: figures?.calls?.toLocaleString('en-US'),
          'Measured by': collector ?? (origin === 'uploaded' ? 'a person or CI' : null),
        }}
      />
      <SessionResult result={result} />
      {figures === null ? null : (
        <>
          <DataTable
            label="Key figures"
            rows={[session]}
            rowKey={({ id }) => id}
            whenEmpty=""
            columns={figureColumnsOf<McpSessionShape>((row) => row.figures)}
          />
          <SessionDetails mcpTargetId={mcpTargetId} sessionId={session.id} />
        </>
      )}
    </div>
  )
}

function DeleteSession({ session }: { session: McpSessionShape }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = route.useNavigate()
  return (
    <>
      <MoreActions of="this session" actions={[{ label: 'Delete…', onAction: () => setOpen(true) }]} />
      {isOpen ? (
        <ConfirmCall
          title="Delete this session?"
          action="Delete for good"
          operation={operations.deleteMcpSession}
          input={{ mcp_session_id: session.id }}
          outdates={[operations.listMcpSessions, operations.getMcpTarget, operations.getMcpMetrics]}
          onDone={() =>
            void navigate({
              to: '/mcp-targets/$mcpTargetId',
              params: { mcpTargetId: session.mcp_target_id },
            })
          }
          onClose={() => setOpen(false)}
        >
          Its report is removed for good. Profiles stay.
        </ConfirmCall>
      ) : null}
    </>
  )
}
