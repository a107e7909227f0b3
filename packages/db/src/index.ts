export { verifyAudit, type Anchor, type AuditVerification, type Break } from './audit/verify-audit.ts'
export { watchBenchNews } from './bench-news.ts'
export { openDatabase, type Database, type DatabaseOptions } from './database.ts'
export { findDueSchedules } from './due-schedules.ts'
export { findExpiredMcpSessions } from './expired-mcp-sessions.ts'
export { findExpiredPrints } from './expired-prints.ts'
export { findExpiredProfiles } from './expired-profiles.ts'
export { findExpiredValidations } from './expired-validations.ts'
export { findForgottenTasks } from './forgotten-tasks.ts'
export { findLeftResultFiles, findUnmadeFiles } from './left-result-files.ts'
export { findLeftSources } from './left-sources.ts'
export { migrate, MigrationError } from './migrate.ts'
export {
  bootstrapRoles,
  bootstrapStatements,
  databaseRoles,
  roleUrl,
  type DatabaseRole,
  type RolePasswords,
} from './roles.ts'
export { createStores } from './stores.ts'
export { findLiveAppsToJudge } from './live-apps-to-judge.ts'
export { findLiveAppsToSweep } from './live-apps-to-sweep.ts'
export { findOldBenchResults } from './old-bench-results.ts'
export { findOpenBenchRuns } from './open-bench-runs.ts'
export { dueDeliveries } from './stores/outbox.ts'
export { sweepExpired } from './sweep.ts'
export { findUnjudgedRuns } from './unjudged-runs.ts'
