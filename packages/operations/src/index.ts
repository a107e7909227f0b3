export {
  asProblem,
  createExecute,
  reachableRoles,
  type Answer,
  type CallOrigin,
  type Execute,
} from './execute.ts'
export { admission } from './limits/admission.ts'
export type { CallLimits } from './limits/call-limits.ts'
export { mustHaveRoom } from './limits/upload-limits.ts'
export { keepingAnOwner } from './workspace/keeping-an-owner.ts'
export { type Deps } from './implement.ts'
export { implementations } from './implementations.ts'
export { jobHandlers, watchHandlers } from './jobs/index.ts'
export { splitPush } from './profiles/split-push.ts'
export { removeFoundFiles } from './jobs/remove-found-files.ts'
export { judgeLiveApps } from './jobs/judge-live-apps.ts'
export { sweepLiveApps } from './jobs/sweep-live-apps.ts'
export { sweepPastRetention } from './jobs/sweep-past-retention.ts'
export { sweepObjects } from './jobs/sweep-objects.ts'
export { removeExpiredMcpSessions } from './jobs/remove-expired-mcp-sessions.ts'
export { removeExpiredProfiles } from './jobs/remove-expired-profiles.ts'
export { removeExpiredValidations } from './jobs/remove-expired-validations.ts'
export { removeLeftSources } from './jobs/remove-left-sources.ts'
export { queueResultFiles } from './bench-runs/plan-result-files.ts'
export { mindBenchRuns, type EarlierLooks } from './jobs/mind-bench-runs.ts'
export { queueArrivedUploads } from './jobs/queue-arrived-uploads.ts'
export { queueDueSchedules } from './jobs/queue-due-schedules.ts'
export { requeueForgotten } from './jobs/requeue-forgotten.ts'
export { deliver } from './jobs/deliver.ts'
export { beginAgain } from './jobs/begin-again.ts'
export { giveUpJob } from './jobs/give-up.ts'
export { judgeLater } from './benchmarks/watch.ts'
export { openSecrets } from './design/secrets.ts'
export { openProjectFile } from './project-files/open-project-file.ts'
export { reachableHosts } from './targets/reachable-hosts.ts'
export { badgeOf, type Badge } from './monitoring/badge-of.ts'
export type { JobDeps } from './jobs/job.ts'
