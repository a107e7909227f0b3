import type { MasterKeySettings } from '@flamegate/auth'
import type { PlatformConfig } from './platform-config.ts'

interface Places {
  publicUrl: string
  /** Where the worker reaches the pages that it prints. */
  localUrl: string
  urls: { app: string; auth: string; queue: string }
  storageDir: string
  keySettings: MasterKeySettings
}

/** All that the worker beside the platform is told. It sees nothing else of our environment: another's settings are not its own. */
export function workerEnvironment(
  config: PlatformConfig,
  { publicUrl, localUrl, urls, storageDir, keySettings }: Places,
): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    FLAMEGATE_LOG_LEVEL: config.FLAMEGATE_LOG_LEVEL,
    FLAMEGATE_LOG_FORMAT: config.FLAMEGATE_LOG_FORMAT,
    FLAMEGATE_PUBLIC_URL: publicUrl,
    FLAMEGATE_INTERNAL_URL: localUrl,
    FLAMEGATE_DATABASE_APP_URL: urls.app,
    FLAMEGATE_DATABASE_AUTH_URL: urls.auth,
    FLAMEGATE_DATABASE_QUEUE_URL: urls.queue,
    ...exporterEnvironment(),
    OTEL_EXPORTER_OTLP_ENDPOINT: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    FLAMEGATE_TRACE_SHARE: String(config.FLAMEGATE_TRACE_SHARE),
    REDIS_URL: config.REDIS_URL,
    FLAMEGATE_RATE_LIMITS: String(config.FLAMEGATE_RATE_LIMITS),
    FLAMEGATE_WEBHOOKS_TO_LOOPBACK: String(config.FLAMEGATE_WEBHOOKS_TO_LOOPBACK),
    FLAMEGATE_GITHUB_API_URL: config.FLAMEGATE_GITHUB_API_URL,
    SMTP_URL: config.SMTP_URL,
    FLAMEGATE_MAIL_FROM: config.FLAMEGATE_MAIL_FROM,
    FLAMEGATE_TARGETS_ALLOWED: config.FLAMEGATE_TARGETS_ALLOWED.join(','),
    FLAMEGATE_BENCH_RESULT_DAYS: config.FLAMEGATE_BENCH_RESULT_DAYS?.toString(),
    FLAMEGATE_LIVE_HOURS: config.FLAMEGATE_LIVE_HOURS?.toString(),
    ...storageEnvironment(config, storageDir),
    ...masterKeyEnvironment(keySettings),
  }
}

/** Where bytes live, as the worker's own settings say it. */
function storageEnvironment(config: PlatformConfig, storageDir: string): Record<string, string | undefined> {
  return {
    S3_BUCKET: config.S3_BUCKET,
    S3_REGION: config.S3_REGION,
    S3_ENDPOINT: config.S3_ENDPOINT,
    S3_PUBLIC_ENDPOINT: config.S3_PUBLIC_ENDPOINT,
    S3_ACCESS_KEY_ID: config.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: config.S3_SECRET_ACCESS_KEY,
    S3_FORCE_PATH_STYLE: String(config.S3_FORCE_PATH_STYLE),
    FLAMEGATE_STORAGE_DIR: storageDir,
  }
}

/** What the exporter of traces reads by itself, such as the headers that it sends. */
function exporterEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_EXPORTER_OTLP_')),
  )
}

/** Where the master keys are, as the worker's own settings say it. */
function masterKeyEnvironment(settings: MasterKeySettings): Record<string, string | undefined> {
  return {
    FLAMEGATE_KEY_PROVIDER: settings.FLAMEGATE_KEY_PROVIDER,
    FLAMEGATE_MASTER_KEYS: settings.FLAMEGATE_MASTER_KEYS,
    FLAMEGATE_MASTER_KEY_FILE: settings.FLAMEGATE_MASTER_KEY_FILE,
    VAULT_ADDR: settings.VAULT_ADDR,
    VAULT_TOKEN: settings.VAULT_TOKEN,
    FLAMEGATE_VAULT_KEY: settings.FLAMEGATE_VAULT_KEY,
  }
}
