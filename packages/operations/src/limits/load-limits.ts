import type { LoadLimits } from '@flamegate/loadtest'
import type { WorkspaceLimits } from './workspace-limits.ts'

/** What one run may be, in the words of scenarios. */
export function loadLimits(limits: WorkspaceLimits): LoadLimits {
  return {
    usersMax: limits.loadUsers,
    ratePerSecondMax: limits.loadRatePerSecond,
    durationMsMax: limits.loadDurationMs,
    browserUsersMax: limits.loadBrowserUsers,
  }
}
