import { operations, uploadLimits } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { limitsNow } from '../limits/limits-now.ts'
import { finite, limitsOf } from '../limits/workspace-limits.ts'
import { getWorkspace } from '../targets.ts'

export const getUsage = implement(operations.getUsage)(async (input, context) => {
  const { caller, deps, principal } = context
  const { stores } = deps
  const workspace = await getWorkspace(context, input.workspace_id)
  const used = await stores.workspaces.usage(caller, workspace.id)
  const calls = await limitsNow(deps, principal, workspace.id)
  const limits = await limitsOf(deps, workspace.id)
  const live = await stores.live.countBytes(caller, workspace.id)
  const { usedSeconds } = await stores.usage.countAgentSeconds(caller, workspace.id)
  const today = new Date().toISOString().slice(0, 10)
  const [soFar] = await stores.usage.listDays(caller, workspace.id, { from: today, to: today })
  return {
    workspace_id: workspace.id,
    plan: limits.plan.id,
    usage: {
      projects: used.projects,
      members: used.members,
      runs: used.runs,
      benchmark_results: used.results,
      profiles: used.profiles,
      storage_bytes: used.storageBytes,
      result_bytes: await stores.series.countBytes(caller, workspace.id),
      result_file_bytes: await stores.resultFiles.countBytes(caller, workspace.id),
      live_app_bytes: live.apps,
      live_recording_bytes: live.recordings,
      mcp_report_bytes: await stores.mcp.countBytes(caller, workspace.id),
      uploads_today: soFar?.uploads ?? 0,
      agent_hours_this_month: usedSeconds / 3600,
    },
    limits: {
      upload_bytes: uploadLimits.uploadBytes,
      inline_bytes: uploadLimits.inlineBytes,
      uploads_per_day: finite(limits.uploadsPerDay),
      storage_bytes: finite(limits.storageBytes),
      agent_hours_per_month: finite(limits.agentHoursPerMonth),
      calls_per_minute: calls.find(({ name }) => name === 'client')?.refills_per_minute ?? null,
      calls,
      result_bytes: finite(limits.resultBytes),
      result_file_bytes: finite(limits.resultFileBytes),
      live_app_bytes: limits.liveAppBytes,
      live_recording_bytes: finite(limits.liveRecordingBytes),
      mcp_report_bytes: finite(limits.mcpReportBytes),
      load_run: {
        users: finite(limits.loadUsers),
        rate_per_second: finite(limits.loadRatePerSecond),
        duration_ms: finite(limits.loadDurationMs),
        browser_users: finite(limits.loadBrowserUsers),
      },
      retention_days: limits.retentionDays,
      features_off: limits.featuresOff,
    },
  }
})
