import { formatBytes, operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Facts } from '../components/facts.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { WorkspacePage } from '../shell/page.tsx'
import { toolsetTitle } from '../toolset-title.ts'
import { usedRows } from '../usage/used-rows.ts'
import { UsedTable } from '../usage/used-table.tsx'
import { UsageDays } from '../usage/usage-days.tsx'

const route = getRouteApi('/app/workspaces/$workspaceId/usage')

/** What a workspace may use, what it uses, and what it used on each day. */
export function WorkspaceUsagePage() {
  const { workspaceId } = route.useParams()
  const query = useAnswer(operations.getUsage, { workspace_id: workspaceId })
  return (
    <WorkspacePage
      workspaceId={workspaceId}
      title="Usage"
      lead="What the plan of this workspace has, what is used of it, and how long things are kept"
    >
      <Answer query={query} skeleton={<SkeletonTable rows={7} />}>
        {(answer) => {
          const { plan, usage, limits } = answer
          return (
            <div className="flex flex-col gap-6">
              <Section title="Plan">
                <Facts
                  entries={{
                    Plan: plan,
                    Members: usage.members.toLocaleString(),
                    Projects: usage.projects.toLocaleString(),
                    Runs: usage.runs.toLocaleString(),
                    'Benchmark results': usage.benchmark_results.toLocaleString(),
                    Profiles: usage.profiles.toLocaleString(),
                    'Live apps': `${formatBytes(usage.live_app_bytes)}, ${formatBytes(limits.live_app_bytes)} of each at most`,
                    'Largest upload': formatBytes(limits.upload_bytes),
                    'Calls a minute': limits.calls_per_minute?.toLocaleString() ?? 'no limit',
                    ...(limits.features_off.length === 0
                      ? {}
                      : { 'Does without': limits.features_off.map(toolsetTitle).join(', ') }),
                    'Users of one run': limits.load_run.users?.toLocaleString() ?? 'no limit',
                  }}
                />
              </Section>
              <Section title="Used of the plan">
                <UsedTable rows={usedRows(answer)} />
              </Section>
              <Section title="Kept for">
                <p className="text-sm text-muted">
                  By the plan. This installation may keep load test results and live metrics for less.
                </p>
                <Facts
                  entries={{
                    'Benchmark runs': inDays(limits.retention_days.runs),
                    Profiles: inDays(limits.retention_days.profiles),
                    'Load test results': inDays(limits.retention_days.bench_results),
                    'Live metrics': inDays(limits.retention_days.live_metrics),
                    'Live recordings': inDays(limits.retention_days.live_recordings),
                    'Sessions of MCP servers': inDays(limits.retention_days.mcp_sessions),
                    'Audit log': inDays(limits.retention_days.audit),
                  }}
                />
              </Section>
            </div>
          )
        }}
      </Answer>
      <UsageDays workspaceId={workspaceId} />
    </WorkspacePage>
  )
}

function inDays(days: number | null): string {
  if (days === null) return 'for ever'
  return days === 1 ? 'a day' : `${days.toLocaleString()} days`
}
