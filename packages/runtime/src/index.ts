export { noteForAccessLog } from './access-log.ts'
export type { RequestNotes } from './access-log.ts'
export { ConfigError, describeConfig, readConfig } from './config.ts'
export type { SettingRow } from './config.ts'
export { addHealth } from './health.ts'
export type { Health, HealthOptions } from './health.ts'
export { cannotListen, listen } from './listen.ts'
export { createLogger, logLevels } from './logger.ts'
export type { Logger, LoggerOptions, LogLevel } from './logger.ts'
export { mailServerOf, openMailServer, postMail } from './mail/mail-server.ts'
export type { MailServer } from './mail/mail-server.ts'
export { addMetricsRoute, createMetricsRegistry, measureRequests } from './metrics.ts'
export { measureWork } from './metrics/measure-jobs.ts'
export {
  measureBacklog,
  measureFolder,
  measurePools,
  measureQueue,
  measureRefusals,
  measureStorage,
} from './metrics/measure-platform.ts'
export { measureToolCalls } from './metrics/measure-tool-calls.ts'
export { isForOperator, orExit } from './or-exit.ts'
export { guardedFetch } from './outbound/guarded-fetch.ts'
export type { GuardedRequest, GuardedResponse } from './outbound/guarded-fetch.ts'
export { githubApi } from './outbound/github-api.ts'
export { OutboundRefused } from './outbound/outbound-refused.ts'
export { postMessage } from './outbound/post-message.ts'
export { findTxt, resolvedBy } from './outbound/find-proof.ts'
export { providerFetch, tenantProviders } from './outbound/provider-fetch.ts'
export type { TenantProviders } from './outbound/provider-fetch.ts'
export type { RefusalReason } from './outbound/outbound-refused.ts'
export { targetRules } from './outbound/target-rules.ts'
export { createServer, emptyJsonParser } from './server.ts'
export type { ServerOptions } from './server.ts'
export { installShutdown } from './shutdown.ts'
export type { Shutdown, ShutdownStep } from './shutdown.ts'
export {
  databaseSettings,
  dnsSettings,
  listOf,
  listSetting,
  masterKeySettings,
  logSettings,
  mailSettings,
  notificationSettings,
  retentionSettings,
  type Retention,
  internalUrlSetting,
  publicUrlSetting,
  limitSettings,
  queueSettings,
  serverSettings,
  ssoSettings,
  storageSettings,
  targetSettings,
  watchedSettings,
} from './settings.ts'
export { addTraceHeaders, currentTraceId, withJobSpan, withSpan, withSpanBelow } from './tracing/spans.ts'
export { startTracing } from './tracing/start-tracing.ts'
export type { Tracing } from './tracing/start-tracing.ts'
