export { dropOldAudit } from './audit/drop-old-audit.ts'
export { prepareAudit } from './audit/prepare-audit.ts'
export { verifyAudit, type Anchor, type AuditVerification, type Break } from './audit/verify-audit.ts'
export { awaitMigrations } from './await-migrations.ts'
export { whyBrokenOff } from './database-errors.ts'
export {
  checkRestore,
  restoreDatabase,
  RestoreError,
  type DatabaseContent,
} from './backup/restore-database.ts'
export { RowDigest, type RowSum } from './backup/row-digest.ts'
export { openSnapshot, type BackupTable, type Snapshot } from './backup/snapshot.ts'
export { checkConnections } from './check-connections.ts'
export { watchBenchNews } from './bench-news.ts'
export { lookAtBacklog, type Backlog } from './backlog.ts'
export { openDatabase, type Database, type DatabaseOptions, type PoolState } from './database.ts'
export { findDueSchedules } from './due-schedules.ts'
export {
  findExpiredMcpSessions,
  findExpiredPrints,
  findExpiredProfiles,
  findExpiredValidations,
} from './find-expired.ts'
export { findForgottenTasks } from './forgotten-tasks.ts'
export { findLeftResultFiles, findUnmadeFiles } from './left-result-files.ts'
export { findLeftSources } from './left-sources.ts'
export { openKeyRoom, type KeyRoom } from './keys/key-room.ts'
export { migrate, MigrationError } from './migrate.ts'
export {
  bootstrapRoles,
  bootstrapStatements,
  databaseRoles,
  roleUrl,
  type DatabaseRole,
  type RolePasswords,
} from './roles.ts'
export { exportWorkspace } from './workspace-archive/export-workspace.ts'
export { importWorkspace } from './workspace-archive/import-workspace.ts'
export { purgeDeletedWorkspaces } from './purge-workspaces.ts'
export { createStores } from './stores.ts'
export { findLiveAppsToJudge } from './live-apps-to-judge.ts'
export { findLiveAppsToSweep } from './live-apps-to-sweep.ts'
export { findPastRetention, findUnknownObjects, meterStorage } from './past-retention.ts'
export { findOpenBenchRuns } from './open-bench-runs.ts'
export { dueDeliveries } from './stores/outbox.ts'
export { statusStore } from './stores/status-store.ts'
export { sweepExpired } from './sweep.ts'
export { findUnjudgedRuns } from './unjudged-runs.ts'
export { findWaitingUploads } from './waiting-uploads.ts'
