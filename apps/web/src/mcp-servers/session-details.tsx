import { formatBytes, formatMs, formatShare, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Facts } from '../components/facts.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { Diagnosis } from './diagnosis.tsx'
import { OperationTable } from './operation-table.tsx'

/** What a session measured: what was called, what the processes used, and what that means. */
export function SessionDetails({ mcpTargetId, sessionId }: { mcpTargetId: string; sessionId: string }) {
  const query = useAnswer(operations.getMcpMetrics, {
    mcp_target_id: mcpTargetId,
    mcp_session_id: sessionId,
    trend: 0,
  })
  return (
    <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
      {({
        session,
        operations: called,
        connection,
        resources,
        gc,
        event_loop_delay: eventLoopDelay,
        notes,
      }) => (
        <div className="flex min-w-0 flex-col gap-6">
          <Section title="Operations">
            <OperationTable operations={called} />
          </Section>
          <Section title="The server">
            <Facts
              entries={{
                'Process start': formatMs(connection?.process_start_ms ?? null),
                'Log-in': formatMs(connection?.oauth_ms ?? null),
                initialize: formatMs(connection?.initialize_ms ?? null),
                'tools/list': formatMs(connection?.tools_list_ms ?? null),
                Tools: connection?.tools,
                'Tokens of tools/list': connection?.tools_list_tokens?.toLocaleString('en-US'),
                'Processor time':
                  resources === null
                    ? null
                    : `${resources.cpu_percent.mean.toFixed(0)} %, at most ${resources.cpu_percent.max.toFixed(0)} %`,
                'Resident memory':
                  resources === null ? null : `at most ${formatBytes(resources.rss_bytes.max)}`,
                Read: resources?.read_bytes == null ? null : formatBytes(resources.read_bytes),
                Written: resources?.write_bytes == null ? null : formatBytes(resources.write_bytes),
                'Garbage collection':
                  gc === null ? null : `${formatShare(gc.share)} of the time, longest ${formatMs(gc.max_ms)}`,
                'Event-loop delay':
                  eventLoopDelay === null
                    ? null
                    : `p99 ${formatMs(eventLoopDelay.p99_ms)}, longest ${formatMs(eventLoopDelay.max_ms)}`,
              }}
            />
            {(session?.profile_ids ?? []).map((profileId, index) => (
              <Link
                key={profileId}
                to="/profiles/$profileId"
                params={{ profileId }}
                className="self-start font-medium underline"
              >
                Profile {index + 1} of its inside
              </Link>
            ))}
          </Section>
          <Diagnosis mcpTargetId={mcpTargetId} sessionId={sessionId} />
          {notes.length === 0 ? null : (
            <Section title="Notes">
              <ul className="flex list-disc flex-col gap-1 pl-5 text-muted">
                {notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      )}
    </Answer>
  )
}
