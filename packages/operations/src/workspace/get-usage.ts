import { operations, uploadLimits } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { liveBytesMax, liveRecordingBounds } from '../limits/live-limits.ts'
import { limitsNow } from '../limits/limits-now.ts'
import { finite, loadLimits, resultBytesMax, resultFileBytesMax } from '../limits/load-limits.ts'
import { mcpBounds } from '../limits/mcp-limits.ts'
import { getWorkspace } from '../targets.ts'

export const getUsage = implement(operations.getUsage)(async (input, context) => {
  const workspace = await getWorkspace(context, input.workspace_id)
  const usage = await context.deps.stores.workspaces.usage(context.caller, workspace.id)
  const calls = await limitsNow(context.deps.limits, context.principal, workspace.id)
  const load = loadLimits(context.deps.limits)
  const live = await context.deps.stores.live.countBytes(context.caller, workspace.id)
  return {
    workspace_id: workspace.id,
    plan: workspace.plan,
    usage: {
      projects: usage.projects,
      members: usage.members,
      runs: usage.runs,
      benchmark_results: usage.results,
      profiles: usage.profiles,
      storage_bytes: usage.storageBytes,
      result_bytes: await context.deps.stores.series.countBytes(context.caller, workspace.id),
      result_file_bytes: await context.deps.stores.resultFiles.countBytes(context.caller, workspace.id),
      live_app_bytes: live.apps,
      live_recording_bytes: live.recordings,
      mcp_report_bytes: await context.deps.stores.mcp.countBytes(context.caller, workspace.id),
    },
    limits: {
      upload_bytes: uploadLimits.uploadBytes,
      inline_bytes: uploadLimits.inlineBytes,
      calls_per_minute: calls.find(({ name }) => name === 'client')?.refills_per_minute ?? null,
      calls,
      result_bytes: finite(resultBytesMax(context.deps.limits)),
      result_file_bytes: finite(resultFileBytesMax(context.deps.limits)),
      live_app_bytes: liveBytesMax(context.deps.limits),
      live_recording_bytes: finite(liveRecordingBounds(context.deps.limits).bytesOfWorkspaceMax),
      mcp_report_bytes: finite(mcpBounds(context.deps.limits).bytesOfWorkspaceMax),
      load_run: {
        users: finite(load.usersMax),
        rate_per_second: finite(load.ratePerSecondMax),
        duration_ms: finite(load.durationMsMax),
        browser_users: finite(load.browserUsersMax),
      },
    },
  }
})
