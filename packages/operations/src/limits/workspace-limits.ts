import type { PlanLimits } from '@flamegate/contract'
import type { Stores } from '../ports/index.ts'
import type { CallLimits } from './call-limits.ts'

/** How far from the plans' limits an installation goes; undefined where nothing is limited. */
export type LimitFactor = Pick<CallLimits, 'factor'> | undefined

/** What it takes to know the limits of a workspace, in a call or in a job. */
export interface LimitedDeps {
  stores: Pick<Stores, 'plans'>
  limits: LimitFactor
}

/** What a workspace may use: its plan, as far as this installation goes from it. Infinity where nothing is limited. */
export interface WorkspaceLimits {
  plan: { id: string; title: string }
  callsPerMinute: number
  uploadsPerDay: number
  agentHoursPerMonth: number
  storageBytes: number
  resultBytes: number
  resultFileBytes: number
  /** Of each live app. It has an end also where nothing is limited: a program tells something all the time. */
  liveAppBytes: number
  liveRecordingBytes: number
  mcpReportBytes: number
  loadUsers: number
  loadRatePerSecond: number
  loadDurationMs: number
  loadBrowserUsers: number
  /** How long the plan keeps each kind; null: for ever. An installation may keep less. */
  retentionDays: PlanLimits['retention_days']
  featuresOff: PlanLimits['features_off']
}

/** The limits of a workspace. Whatever is limited for workspaces is limited by these. */
export async function limitsOf(
  { stores, limits }: LimitedDeps,
  workspaceId: string,
): Promise<WorkspaceLimits> {
  const { id, title, limits: plan } = await stores.plans.ofWorkspace(workspaceId)
  const factor = limits?.factor ?? Infinity
  const most = (limit: number | null) =>
    limit === null || factor === Infinity ? Infinity : Math.round(limit * factor)
  return {
    plan: { id, title },
    callsPerMinute: most(plan.calls_per_minute),
    uploadsPerDay: most(plan.uploads_per_day),
    agentHoursPerMonth: most(plan.agent_hours_per_month),
    storageBytes: most(plan.storage_bytes),
    resultBytes: most(plan.result_bytes),
    resultFileBytes: most(plan.result_file_bytes),
    liveAppBytes: Math.round(plan.live_app_bytes * Math.max(1, limits?.factor ?? 1)),
    liveRecordingBytes: most(plan.live_recording_bytes),
    mcpReportBytes: most(plan.mcp_report_bytes),
    loadUsers: most(plan.load_users),
    loadRatePerSecond: most(plan.load_rate_per_second),
    loadDurationMs: most(plan.load_duration_ms),
    loadBrowserUsers: most(plan.load_browser_users),
    retentionDays: plan.retention_days,
    featuresOff: plan.features_off,
  }
}

/** As on the wire: null where there is no limit. */
export function finite(limit: number): number | null {
  return limit === Infinity ? null : limit
}
