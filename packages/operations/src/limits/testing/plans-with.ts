import type { PlanLimits } from '@flamegate/contract'
import type { PlanStore } from '../../ports/index.ts'

/** The one plan of all workspaces, with as much of everything as nobody uses but for what is given. */
export function plansWith(limits: Partial<PlanLimits> = {}): PlanStore {
  const plan = {
    id: 'free',
    title: 'Free',
    limits: {
      calls_per_minute: 12_000,
      uploads_per_day: null,
      agent_hours_per_month: null,
      storage_bytes: null,
      result_bytes: null,
      result_file_bytes: null,
      live_app_bytes: 512 * 2 ** 20,
      live_recording_bytes: null,
      mcp_report_bytes: null,
      load_users: null,
      load_rate_per_second: null,
      load_duration_ms: null,
      load_browser_users: null,
      retention_days: {
        runs: null,
        profiles: null,
        bench_results: null,
        live_metrics: null,
        live_recordings: null,
        mcp_sessions: null,
        audit: null,
      },
      features_off: [],
      ...limits,
    },
  }
  return { ofWorkspace: () => plan }
}
