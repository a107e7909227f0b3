import { noMasterKeys, type IdentityStore, type MasterKeys, type Stores } from '@flamegate/operations/ports'
import { securityLog } from './audit/security-log.ts'
import type { Database } from './database.ts'
import { administrationStore } from './stores/administration-store.ts'
import { alertStore } from './stores/alert-store.ts'
import { apiTokenStore } from './stores/api-token-store.ts'
import { auditStore } from './stores/audit-store.ts'
import { badgeStore } from './stores/badge-store.ts'
import { benchImportStore } from './stores/bench-import-store.ts'
import { benchRunStore } from './stores/bench-run-store.ts'
import { benchmarkStore } from './stores/benchmark-store.ts'
import { collectorStore } from './stores/collector-store.ts'
import { connectedAppStore } from './stores/connected-app-store.ts'
import { deliveryStore } from './stores/delivery-store.ts'
import { designStore } from './stores/design-store.ts'
import { fileStore } from './stores/file-store.ts'
import { githubReportStore } from './stores/github-report-store.ts'
import { idempotencyStore } from './stores/idempotency-store.ts'
import { identityStore } from './stores/identity-store.ts'
import { importStore } from './stores/import-store.ts'
import { liveRecordingStore } from './stores/live-recording-store.ts'
import { liveAlertStore } from './stores/live-alert-store.ts'
import { liveStore } from './stores/live-store.ts'
import { loadGeneratorStore } from './stores/load-generator-store.ts'
import { membershipStore, userDirectory } from './stores/membership-store.ts'
import { mcpStore } from './stores/mcp-store.ts'
import { monitorStore } from './stores/monitor-store.ts'
import { notificationStore } from './stores/notification-store.ts'
import { oauthClientStore } from './stores/oauth-client-store.ts'
import { pageLoadStore } from './stores/page-load-store.ts'
import { planStore } from './stores/plan-store.ts'
import { profileStore } from './stores/profile-store.ts'
import { projectFileStore } from './stores/project-file-store.ts'
import { projectStore } from './stores/project-store.ts'
import { recordingStore } from './stores/recording-store.ts'
import { resultFileStore } from './stores/result-file-store.ts'
import { runStore } from './stores/run-store.ts'
import { scheduleStore } from './stores/schedule-store.ts'
import { scimStore } from './stores/scim-store.ts'
import { searchStore } from './stores/search-store.ts'
import { securityEventStore } from './stores/security-event-store.ts'
import { seriesStore } from './stores/series-store.ts'
import { ssoSettingsStore } from './stores/sso-settings-store.ts'
import { targetStore } from './stores/target-store.ts'
import { validationStore } from './stores/validation-store.ts'
import { taskStore } from './stores/task-store.ts'
import { shareLinkStore } from './stores/share-link-store.ts'
import { thresholdStore } from './stores/threshold-store.ts'
import { webhookStore } from './stores/webhook-store.ts'
import { usageStore } from './stores/usage-store.ts'
import { workspaceStore } from './stores/workspace-store.ts'

/**
 * Everything operations and authentication store, in Postgres. Close before the database: audit events may wait.
 * @param masterKeys What keys in the database are wrapped with.
 */
export function createStores(
  database: Database,
  masterKeys: MasterKeys = noMasterKeys,
): {
  stores: Stores
  identity: IdentityStore
  close(): Promise<void>
} {
  const audit = auditStore(database)
  const security = securityLog(database)
  return {
    stores: {
      workspaces: workspaceStore(database),
      plans: planStore(database),
      usage: usageStore(database),
      projects: projectStore(database),
      runs: runStore(database),
      benchmarks: benchmarkStore(database),
      profiles: profileStore(database),
      files: fileStore(database),
      projectFiles: projectFileStore(database),
      search: searchStore(database),
      tasks: taskStore(database),
      collectors: collectorStore(database),
      shareLinks: shareLinkStore(database),
      designs: designStore(database),
      imports: importStore(database),
      recordings: recordingStore(database),
      targets: targetStore(database),
      sso: ssoSettingsStore(database),
      scim: scimStore(database),
      validations: validationStore(database),
      benchRuns: benchRunStore(database),
      benchImports: benchImportStore(database),
      resultFiles: resultFileStore(database),
      loadGenerators: loadGeneratorStore(database),
      monitors: monitorStore(database),
      live: liveStore(database),
      liveAlerts: liveAlertStore(database),
      liveRecordings: liveRecordingStore(database),
      mcp: mcpStore(database),
      schedules: scheduleStore(database),
      thresholds: thresholdStore(database),
      alerts: alertStore(database),
      webhooks: webhookStore(database),
      notifications: notificationStore(database),
      githubReports: githubReportStore(database),
      deliveries: deliveryStore(database),
      badges: badgeStore(database),
      apiTokens: apiTokenStore(database),
      connectedApps: connectedAppStore(database),
      oauthClients: oauthClientStore(database),
      audit,
      securityEvents: securityEventStore(database),
      series: seriesStore(database),
      pageLoads: pageLoadStore(database),
      idempotency: idempotencyStore(database),
      memberships: membershipStore(database),
      users: userDirectory(database),
      administration: administrationStore(database),
    },
    identity: identityStore(database, security, masterKeys),
    close: async () => {
      await Promise.all([audit.close(), security.close()])
    },
  }
}
